int main() {
    vector<int> v;
    std::cout << v.size() << std::endl;
}
