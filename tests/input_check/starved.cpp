// Programs whose input lacks something that they read: each of them raises the alarm.
// A line of four slashes names a program and its input; what follows is the body of `main`.

//// dijkstra: n
int n, m;
cin >> n >> m;
vector<vector<pair<int, int>>> g(n + 1);
for (int i = 0; i < m; i++) {
  int a, b, w;
  cin >> a >> b >> w;
  if (a <= n && b <= n) g[a].push_back({b, w});
}
vector<long> d(n + 1, 1e18);
priority_queue<pair<long, int>> q;
d[1] = 0;
q.push({0, 1});
while (!q.empty()) {
  auto [x, u] = q.top();
  q.pop();
  if (-x != d[u]) continue;
  for (auto [v, w] : g[u]) if (d[v] > d[u] + w) {
    d[v] = d[u] + w;
    q.push({-d[v], v});
  }
}
for (int i = 1; i <= n; i++) cout << d[i] << ' ';

//// sums_of_ranges: n
int n, q;
cin >> n >> q;
vector<long> s(n + 1);
for (int i = 1; i <= n; i++) {
  int x = 0;
  cin >> x;
  s[i] = s[i - 1] + x;
}
while (q-- > 0) {
  int l, r;
  cin >> l >> r;
  cout << s[min(r, n)] - s[l - 1] << '\n';
}

//// common_subsequence: n
string s, t;
cin >> s >> t;
vector<vector<int>> d(s.size() + 1, vector<int>(t.size() + 1));
for (size_t i = 1; i <= s.size(); i++) for (size_t j = 1; j <= t.size(); j++) d[i][j] = s[i - 1]
    == t[j - 1] ? d[i - 1][j - 1] + 1 : max(d[i - 1][j], d[i][j - 1]);
cout << d[s.size()][t.size()];

//// common_subsequence_after_n: n
int n;
string s, t;
cin >> n >> s >> t;
vector<vector<int>> d(s.size() + 1, vector<int>(t.size() + 1));
for (size_t i = 1; i <= s.size(); i++) for (size_t j = 1; j <= t.size(); j++) d[i][j] = s[i - 1]
    == t[j - 1] ? d[i - 1][j - 1] + 1 : max(d[i - 1][j], d[i][j - 1]);
cout << d[s.size()][t.size()];

//// search_over_the_answer: n
long n, k = 0;
cin >> n >> k;
vector<long> a(n);
for (long& x : a) cin >> x;
long low = 0, high = 1e9;
while (low < high) {
  long mid = (low + high + 1) / 2, pieces = 0;
  for (long x : a) pieces += x / mid;
  if (pieces >= k) low = mid;
  else high = mid - 1;
}
cout << low;

//// matrix: n
int n;
cin >> n;
vector<vector<int>> a(n, vector<int>(n));
for (auto& row : a) for (int& x : row) cin >> x;
long s = 0;
for (int i = 0; i < n; i++) s += a[i][i];
cout << s;

//// cube_of_numbers: n
int n;
scanf("%d", &n);
long s = 0;
for (long i = 0; i < (long)n * n * n; i++) {
  int x = 0;
  if (scanf("%d", &x) != 1) break;
  s += x;
}
printf("%ld", s);

//// grid_by_getline: n
int n;
cin >> n;
cin.ignore();
vector<string> g(n);
for (auto& row : g) getline(cin, row);
long k = 0;
for (auto& row : g) for (char c : row) k += c != '#';
cout << k;

//// grid_of_words: n
int n, m;
cin >> n >> m;
vector<string> g(n);
for (auto& row : g) cin >> row;
vector<vector<int>> seen(n, vector<int>(m));
queue<pair<int, int>> q;
q.push({0, 0});
while (!q.empty()) {
  auto [i, j] = q.front();
  q.pop();
  if (i < 0 || j < 0 || i >= n || j >= m || seen[i][j] || g[i][j] == '#') continue;
  seen[i][j] = 1;
  for (auto [a, b] : {pair{0, 1}, {1, 0}, {0, -1}, {-1, 0}}) q.push({i + a, j + b});
}
cout << (m > 0 ? seen[n - 1][m - 1] : -1);

//// several_tests: n
int t;
cin >> t;
while (t--) {
  int n = 0;
  cin >> n;
  vector<int> v(n);
  for (int& x : v) cin >> x;
  cout << accumulate(v.begin(), v.end(), 0) << '\n';
}

//// array_by_scanf: n
int n;
scanf("%d", &n);
vector<int> v(n);
for (int& x : v) scanf("%d", &x);
sort(v.begin(), v.end());
printf("%d", v[0]);

//// array_by_fread: n
static char b[1 << 25];
b[fread(b, 1, sizeof b - 1, stdin)] = 0;
char* p = b;
long n = strtol(p, &p, 10), s = 0;
for (long i = 0; i < n; i++) s += strtol(p, &p, 10);
cout << s;

//// graph_by_fread: n
static char b[1 << 25], *p = b;
auto number = [] {
  while (*p && !isdigit(*p)) p++;
  int x = 0;
  while (isdigit(*p)) x = x * 10 + *p++ - '0';
  return x;
};
fread(b, 1, sizeof b - 1, stdin);
int n = number(), m = number();
vector<vector<int>> next(n + 1);
for (int i = 0; i < m; i++) {
  int from = number(), to = number();
  next[from].push_back(to);
}
vector<int> seen(n + 1), open{1};
long reached = 0;
while (!open.empty()) {
  int at = open.back();
  open.pop_back();
  if (seen[at]++) continue;
  reached++;
  for (int to : next[at]) open.push_back(to);
}
printf("%ld", reached);

//// edges_by_fread: n
static char b[1 << 25];
fread(b, 1, sizeof b - 1, stdin);
char* p = b;
long n = strtol(p, &p, 10), m = strtol(p, &p, 10);
vector<long> degree(n + 1);
while (m--) degree[strtol(p, &p, 10) % (n + 1)]++;
printf("%d", n > 0);

//// array_by_getchar: n
auto number = [] {
  int c = getchar();
  while (c != EOF && !isdigit(c)) c = getchar();
  long x = 0;
  while (isdigit(c)) {
    x = x * 10 + c - '0';
    c = getchar();
  }
  return x;
};
long n = number(), s = 0;
while (n--) s += number();
printf("%ld", s);

//// endless_at_the_end: n
auto number = [] {
  int c = getchar();
  while (!isdigit(c)) c = getchar();
  long x = 0;
  while (isdigit(c)) {
    x = x * 10 + c - '0';
    c = getchar();
  }
  return x;
};
long n = number(), s = 0;
while (n--) s += number();
printf("%ld", s);

//// array_by_mmap: n
struct stat st;
fstat(0, &st);
char* p = (char*)mmap(nullptr, st.st_size, PROT_READ, MAP_PRIVATE, 0, 0);
char* end = p + st.st_size;
auto number = [&] {
  while (p < end && !isdigit(*p)) p++;
  long x = 0;
  while (p < end && isdigit(*p)) x = x * 10 + *p++ - '0';
  return x;
};
long n = number(), s = 0;
while (n--) s += number();
cout << s;

//// array_by_read: n
static char b[1 << 14];
string all;
ssize_t got;
while ((got = read(0, b, sizeof b)) > 0) all.append(b, got);
char* p = all.data();
long n = strtol(p, &p, 10), s = 0;
while (n--) s += strtol(p, &p, 10);
cout << s;

//// array_by_istreambuf_iterator: n
string all((istreambuf_iterator<char>(cin)), istreambuf_iterator<char>());
istringstream in(all);
int n;
in >> n;
vector<long> v(n);
for (long& x : v) in >> x;
cout << *max_element(v.begin(), v.end());

//// tree_by_parents: n
int n;
cin >> n;
vector<int> d(n + 1);
int deepest = 0;
for (int i = 2; i <= n; i++) {
  int p = 0;
  cin >> p;
  d[i] = d[p] + 1;
  deepest = max(deepest, d[i]);
}
cout << deepest << ' ' << d[1];

//// tree_by_edges: n
int n;
cin >> n;
vector<vector<int>> g(n + 1);
for (int i = 1; i < n; i++) {
  int a = 0, b = 0;
  cin >> a >> b;
  g[a].push_back(b);
  g[b].push_back(a);
}
long s = 0;
function<void(int, int)> walk = [&](int u, int p) {
  s++;
  for (int v : g[u]) if (v != p) walk(v, u);
};
walk(1, 1);
cout << s + g[0].size();

//// knapsack: n
int n, room = 0;
cin >> n >> room;
vector<long> best(room + 1);
for (int i = 0; i < n; i++) {
  int w = 0, v = 0;
  cin >> w >> v;
  for (int j = room; j >= w; j--) best[j] = max(best[j], best[j - w] + v);
}
cout << best[room];

//// words: n
int n;
cin >> n;
map<string, int> count;
for (int i = 0; i < n; i++) {
  string s;
  cin >> s;
  count[s]++;
}
for (auto& [s, k] : count) cout << s << k << '\n';

//// two_arrays: n
int n, m;
cin >> n >> m;
vector<int> a(n), b(m);
for (int& x : a) cin >> x;
for (int& x : b) cin >> x;
cout << inner_product(a.begin(), a.begin() + min(n, m), b.begin(), 0) << ' ' << a.size() +
    b.size();

//// queries_of_kinds: n
int q;
cin >> q;
multiset<int> s;
while (q--) {
  string op;
  int x;
  cin >> op >> x;
  if (op == "add") s.insert(x);
  else if (op == "remove") s.erase(x);
}
cout << s.size();

//// palindrome: n
int n;
string s;
cin >> n >> s;
bool is = true;
for (int i = 0, j = (int)s.size() - 1; i < j; i++, j--) is &= s[i] == s[j];
puts(is ? "YES" : "NO");

//// subset_sum: n
int n, goal = 0;
cin >> n >> goal;
vector<int> a(n);
for (int& x : a) cin >> x;
long ways = 0;
for (long set = 0; set < 1L << min(n, 20); set++) {
  int sum = 0;
  for (int i = 0; i < n; i++) if (set >> i & 1) sum += a[i];
  ways += sum == goal;
}
cout << ways;

//// crashes_at_the_end: n
int n;
cin >> n;
cin.ignore();
string line;
getline(cin, line);
long x = stol(line);
cout << x + n;

//// answers_tests_to_the_end: n
int n;
while (cin >> n) {
  vector<int> v(n);
  for (int& x : v) cin >> x;
  cout << accumulate(v.begin(), v.end(), 0) << '\n';
}

//// pairs_to_the_end: n
long a, b;
while (cin >> a >> b) cout << a + b << '\n';

//// two_numbers: n
long a, b = 0;
cin >> a >> b;
cout << a + b;

//// sorts_and_says_nothing: n
int n;
cin >> n;
vector<int> v(n);
for (int& x : v) cin >> x;
sort(v.begin(), v.end());

//// second_line: n
string line;
getline(cin, line);
int n = stoi(line);
getline(cin, line);
istringstream in(line);
long s = 0, x;
while (in >> x) s += x;
cout << s + n;

//// points: n
int n;
cin >> n;
vector<pair<double, double>> p(n);
for (auto& [x, y] : p) cin >> x >> y;
double d = 0;
for (int i = 0; i < n; i++) d += hypot(p[i].first - p[0].second, p[i].second);
cout << d;

//// array_in_a_thread: n
int n;
cin >> n;
vector<int> v(n);
for (int& x : v) cin >> x;
long s = 0;
thread t([&] { for (int x : v) s += x; });
t.join();
cout << s;

//// lacks_the_second_array: one_row
int n;
cin >> n;
vector<int> a(n), b(n);
for (int& x : a) cin >> x;
for (int& x : b) cin >> x;
cout << inner_product(a.begin(), a.end(), b.begin(), 0L);

//// lacks_a_number: one_row
int n, k = 0;
cin >> n;
vector<int> a(n);
for (int& x : a) cin >> x;
cin >> k;
cout << count_if(a.begin(), a.end(), [&](int x) { return x > k * 6; });
