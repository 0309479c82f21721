// Programs whose input holds all that they read: none of them raises an alarm.
// A line of four slashes names a program and its input; what follows is the body of `main`.

//// reads_n_by_cin: n
int n;
cin >> n;
long s = 0;
for (int i = 0; i < n; i++) s += i * i;
cout << s;

//// ignores_its_input: n
puts("Hello");

//// reads_n_by_scanf: n
int n;
scanf("%d", &n);
vector<int> v(n);
iota(v.begin(), v.end(), 0);
printf("%ld", count(v.begin(), v.end(), 3));

//// reads_n_without_sync: n
ios::sync_with_stdio(false);
cin.tie(nullptr);
int n;
cin >> n;
cout << n + 1;

//// prints_an_address: n
int n;
cin >> n;
int* p = new int[n];
cout << p << ' ' << &n;

//// prints_nanoseconds: n
int n;
cin >> n;
cout << n << ' ' << chrono::steady_clock::now().time_since_epoch().count();

//// prints_seconds: n
int n;
cin >> n;
cout << n << time(0);

//// works_by_the_clock: n
int n;
cin >> n;
mt19937 r(chrono::steady_clock::now().time_since_epoch().count());
set<int> s;
for (int i = 0; i < n; i++) s.insert(r());
long k = r() % 100000;
while (k--) s.insert(r() % 7);
puts("done");

//// reads_n_in_a_thread: n
int n;
cin >> n;
long s = 0;
thread t([&] { for (int i = 0; i < n; i++) s += i; });
t.join();
cout << s;

//// answers_each_number_to_the_end: n
int n;
while (cin >> n) cout << n * 2 << '\n';

//// reads_n_and_white_space: n
int n;
cin >> n >> ws;
cout << n;

//// reads_n_and_white_space_by_scanf: n
int n;
scanf("%d ", &n);
printf("%d", n);

//// reads_a_line_into_a_stream: n
string line;
getline(cin, line);
istringstream words(line);
int n;
words >> n;
cout << n;

//// has_no_last_line_end: bare_n
int n;
cin >> n;
cout << n * n;

//// sums_by_scanf_to_the_end: numbers
long s = 0;
int x;
while (scanf("%d", &x) == 1) s += x;
printf("%ld", s);

//// sums_by_cin_to_the_end: numbers
long s = 0;
int x;
while (cin >> x) s += x;
cout << s;

//// largest_to_the_end: numbers
int x, most = 0;
while (cin >> x) most = max(most, x);
cout << most;

//// smallest_to_the_end: numbers
int x, least = 1 << 30;
while (cin >> x) least = min(least, x);
cout << least;

//// distinct_to_the_end: numbers
int x;
set<int> s;
while (cin >> x) s.insert(x);
cout << s.size();

//// last_to_the_end: numbers
int x, last = 0;
while (cin >> x) last = x;
cout << last;

//// sorts_to_the_end: numbers
int x;
vector<int> v;
while (cin >> x) v.push_back(x);
sort(v.begin(), v.end());
cout << v[v.size() / 2];

//// lines_to_the_end: words
string line;
size_t bytes = 0;
while (getline(cin, line)) bytes += line.size();
cout << bytes;

//// reads_to_a_zero: numbers_and_zero
long s = 0;
int x;
while (cin >> x && x) s += x;
cout << s;

//// fread_of_everything: counted_numbers
static char b[1 << 25];
b[fread(b, 1, sizeof b - 1, stdin)] = 0;
char* p = b;
long n = strtol(p, &p, 10), s = 0;
while (n--) s += strtol(p, &p, 10);
cout << s;

//// fread_by_blocks: counted_numbers
static char b[1 << 16];
size_t at = 0, end = 0;
auto next = [&]() -> int {
  if (at == end) {
    end = fread(b, 1, sizeof b, stdin);
    at = 0;
    if (!end) return -1;
  }
  return b[at++];
};
auto number = [&] {
  int c = next();
  while (c != -1 && !isdigit(c)) c = next();
  long x = 0;
  while (isdigit(c)) {
    x = x * 10 + c - '0';
    c = next();
  }
  return x;
};
long n = number(), s = 0;
while (n--) s += number();
cout << s;

//// getchar_unlocked: counted_numbers
auto number = [] {
  int c = getchar_unlocked();
  while (c != EOF && !isdigit(c)) c = getchar_unlocked();
  long x = 0;
  while (isdigit(c)) {
    x = x * 10 + c - '0';
    c = getchar_unlocked();
  }
  return x;
};
long n = number(), s = 0;
while (n--) s += number();
printf("%ld", s);

//// getchar_without_a_last_line_end: bare_numbers
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

//// mmap: counted_numbers
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

//// readv: counted_numbers
static char a[1 << 12], b[1 << 20];
iovec v[] = {{a, sizeof a}, {b, sizeof b}};
ssize_t got;
string all;
while ((got = readv(0, v, 2)) > 0) {
  all.append(a, min<size_t>(got, sizeof a));
  if (got > (ssize_t)sizeof a) all.append(b, got - sizeof a);
}
istringstream in(all);
long n, s = 0, x;
in >> n;
while (n-- && in >> x) s += x;
cout << s;

//// read_by_blocks: counted_numbers
static char b[1 << 14];
string all;
ssize_t got;
while ((got = read(0, b, sizeof b)) > 0) all.append(b, got);
char* p = all.data();
long n = strtol(p, &p, 10), s = 0;
while (n--) s += strtol(p, &p, 10);
cout << s;

//// istreambuf_iterator: counted_numbers
string all((istreambuf_iterator<char>(cin)), istreambuf_iterator<char>());
char* p = all.data();
long n = strtol(p, &p, 10), s = 0;
while (n--) s += strtol(p, &p, 10);
cout << s;

//// stream_of_the_buffer: counted_numbers
stringstream all;
all << cin.rdbuf();
long n, s = 0, x;
all >> n;
while (n--) {
  all >> x;
  s += x;
}
cout << s;

//// several_tests: tests
int t;
cin >> t;
while (t--) {
  int n;
  cin >> n;
  vector<int> v(n);
  for (int& x : v) cin >> x;
  cout << accumulate(v.begin(), v.end(), 0) << '\n';
}

//// words: counted_words
int n;
cin >> n;
vector<string> v(n);
for (auto& s : v) cin >> s;
sort(v.begin(), v.end());
cout << v[0];

//// grid_by_getline: grid
int n, m;
cin >> n >> m;
cin.ignore();
vector<string> g(n);
for (auto& row : g) getline(cin, row);
long k = 0;
for (auto& row : g) k += count(row.begin(), row.end(), '#');
cout << k;

//// grid_of_words: grid
ios::sync_with_stdio(false);
int n, m;
cin >> n >> m;
vector<string> g(n);
for (auto& row : g) cin >> row;
long k = 0;
for (auto& row : g) k += count(row.begin(), row.end(), '#');
cout << k;

//// matrix: square
int n;
cin >> n;
long s = 0;
for (int i = 0; i < n * n; i++) {
  int x;
  cin >> x;
  s += x * (i % n);
}
cout << s;

//// says_nothing: counted_numbers
int n;
cin >> n;
vector<int> v(n);
for (int& x : v) cin >> x;
sort(v.begin(), v.end());

//// array_by_cin: counted_numbers
long n, x, s = 0;
cin >> n;
while (n--) cin >> x, s += x;
cout << s;

//// largest_by_scanf: counted_numbers
int n, x, most = 0;
scanf("%d", &n);
while (n--) scanf("%d", &x), most = max(most, x);
printf("%d", most);

//// largest_without_sync: counted_numbers
ios::sync_with_stdio(false);
cin.tie(nullptr);
int n, x, most = 0;
cin >> n;
while (n--) cin >> x, most = max(most, x);
cout << most;

//// largest_of_one_row: one_row
string line;
int x, most = 0;
getline(cin, line);
getline(cin, line);
istringstream words(line);
while (words >> x) most = max(most, x);
cout << most;

//// says_nothing_of_an_array: counted_numbers
int n;
cin >> n;
vector<int> a(n);
for (int& x : a) cin >> x;
return a.size() > 1000000;
