// What a person writes to make an input: numbers from <random>, printed with printf.
#include <bits/stdc++.h>
using namespace std;

mt19937_64 rng(1);
long long draw(long long from, long long to) { return uniform_int_distribution<long long>(from, to)(rng); }

void print(const vector<int>& values) {
    for (int value : values) printf("%d ", value);
    puts("");
}

vector<int> array_of(int n) {
    vector<int> values(n);
    for (int& value : values) value = draw(1, 1000000000);
    return values;
}

vector<int> permutation_of(int n) {
    vector<int> values(n);
    iota(values.begin(), values.end(), 1);
    shuffle(values.begin(), values.end(), rng);
    return values;
}

void edges(int n, vector<pair<int, int>> all) {
    vector<int> label = permutation_of(n);
    shuffle(all.begin(), all.end(), rng);
    for (auto [u, v] : all) printf("%d %d\n", label[u], label[v]);
}

int main(int, char** argv) {
    string kind = argv[1];
    int n = atoi(argv[2]);
    if (kind == "array") print(array_of(n));
    if (kind == "sorted") {
        vector<int> values = array_of(n);
        sort(values.begin(), values.end());
        print(values);
    }
    if (kind == "distinct") {
        unordered_set<int> seen;
        vector<int> values;
        while ((int)values.size() < n) {
            int value = draw(1, 1000000000);
            if (seen.insert(value).second) values.push_back(value);
        }
        print(values);
    }
    if (kind == "permutation") print(permutation_of(n));
    if (kind == "matrix") {
        for (int i = 0; i < n / 1000; i++, puts(""))
            for (int j = 0; j < 1000; j++) printf("%lld ", draw(0, 999));
    }
    if (kind == "text") {
        for (int i = 0; i < n; i++) printf("%c", (char)('a' + draw(0, 25)));
        puts("");
    }
    if (kind == "grid") {
        for (int i = 0; i < n / 1000; i++, puts(""))
            for (int j = 0; j < 1000; j++) printf("%c", "..#"[draw(0, 2)]);
    }
    if (kind == "tree") {
        vector<pair<int, int>> all;
        for (int i = 1; i < n; i++) all.push_back({draw(0, i - 1), i});
        edges(n, all);
    }
    if (kind == "graph") {
        set<pair<int, int>> seen;
        while ((int)seen.size() < n) {
            int u = draw(0, n - 1), v = draw(0, n - 1);
            if (u != v) seen.insert({min(u, v), max(u, v)});
        }
        edges(n, vector<pair<int, int>>(seen.begin(), seen.end()));
    }
    if (kind == "points")
        for (int i = 0; i < n; i++) printf("%lld %lld\n", draw(0, 1000000000), draw(0, 1000000000));
    if (kind == "queries")
        for (int i = 0; i < n; i++) {
            if (draw(0, 1)) {
                printf("add %lld\n", draw(1, n));
            } else {
                long long from = draw(1, n), to = draw(1, n);
                printf("sum %lld %lld\n", min(from, to), max(from, to));
            }
        }
}
