// Static containers are destroyed at the end; what a container's pointer points to is lost then.
#include <map>
#include <string>

std::map<int, std::string> global;

int main() {
    static std::map<int, int*> local;
    for (int i = 0; i < 50; ++i) {
        global[i] = std::string(50, 'x');
        local[i] = new int(i);
    }
    return *local[49] == 49 ? 0 : 1;
}
