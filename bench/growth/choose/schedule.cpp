// time: n log n
// memory: n
// input: ../inputs/intervals.yaml
// sizes: default
// n_max: 100000
#include <bits/stdc++.h>
using namespace std;

struct Job {
    int begin, end, id;
};

int main() {
    int n;
    scanf("%d", &n);
    vector<Job> jobs(n);
    for (int i = 0; i < n; i++) {
        scanf("%d %d", &jobs[i].begin, &jobs[i].end);
        jobs[i].id = i;
    }
    sort(jobs.begin(), jobs.end(), [](const Job& a, const Job& b) {
        if (a.end != b.end) return a.end < b.end;
        return a.begin > b.begin;
    });
    int taken = 0, free = -1;
    for (auto& job : jobs) {
        if (job.begin > free) {
            taken++;
            free = job.end;
        }
    }
    printf("%d\n", taken);
}
