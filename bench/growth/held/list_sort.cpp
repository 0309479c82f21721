// time: n log n
// memory: n
// input: ../inputs/array.yaml
// sizes: 1000,5000,10000,50000,100000,200000,500000
// n_max: 500000
// note: Merge sort of a linked list.
#include <cstdio>

struct ListNode {
    int val;
    ListNode* next;
    ListNode(int x) : val(x), next(nullptr) {}
};

ListNode* merge(ListNode* a, ListNode* b) {
    ListNode dummy(0);
    ListNode* tail = &dummy;
    while (a && b) {
        if (a->val <= b->val) {
            tail->next = a;
            a = a->next;
        } else {
            tail->next = b;
            b = b->next;
        }
        tail = tail->next;
    }
    tail->next = a ? a : b;
    return dummy.next;
}

ListNode* sortList(ListNode* head) {
    if (!head || !head->next) return head;
    ListNode *slow = head, *fast = head->next;
    while (fast && fast->next) {
        slow = slow->next;
        fast = fast->next->next;
    }
    ListNode* second = slow->next;
    slow->next = nullptr;
    return merge(sortList(head), sortList(second));
}

int main() {
    int n, x;
    if (scanf("%d", &n) != 1) return 1;
    ListNode dummy(0);
    ListNode* tail = &dummy;
    for (int i = 0; i < n; i++) {
        if (scanf("%d", &x) != 1) return 1;
        tail->next = new ListNode(x);
        tail = tail->next;
    }
    long long check = 0, i = 1;
    for (ListNode* p = sortList(dummy.next); p; p = p->next, i++) check = (check + i * p->val) % 998244353;
    printf("%lld\n", check);
    return 0;
}
