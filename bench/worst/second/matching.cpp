#include <cstdio>
#include <vector>
using namespace std;
int n, m;
vector<vector<int>> likes;
vector<int> owner;
vector<char> seen;
bool place(int person) {
    for (int seat : likes[person]) {
        if (seen[seat]) continue;
        seen[seat] = 1;
        if (!owner[seat] || place(owner[seat])) {
            owner[seat] = person;
            return true;
        }
    }
    return false;
}
int main() {
    scanf("%d %d", &n, &m);
    likes.resize(n + 1);
    owner.resize(n + 1);
    for (int i = 0, person, seat; i < m; ++i) {
        scanf("%d %d", &person, &seat);
        likes[person].push_back(seat);
    }
    int placed = 0;
    for (int person = 1; person <= n; ++person) {
        seen.assign(n + 1, 0);
        placed += place(person);
    }
    printf("%d\n", placed);
}
