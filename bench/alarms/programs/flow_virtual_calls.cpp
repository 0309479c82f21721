// Calls virtual functions of mixed shapes.
// input: few.yaml
#include <iostream>
#include <memory>
#include <vector>
struct Shape {
    virtual ~Shape() = default;
    virtual long area() const = 0;
};
struct Square : Shape {
    long side;
    explicit Square(long s) : side(s) {}
    long area() const override { return side * side; }
};
struct Strip : Shape {
    long length;
    explicit Strip(long l) : length(l) {}
    long area() const override { return length; }
};
int main() {
    int n, x;
    std::cin >> n;
    std::vector<std::unique_ptr<Shape>> shapes;
    while (n-- && std::cin >> x) {
        if (x % 2) shapes.push_back(std::make_unique<Square>(x));
        else shapes.push_back(std::make_unique<Strip>(x));
    }
    long sum = 0;
    for (auto &shape : shapes) sum += shape->area();
    std::cout << sum << '\n';
}
