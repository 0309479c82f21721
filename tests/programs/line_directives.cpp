// Claims that its errors are in other files. A compiler that believes this quotes those files.
#line 1 "/etc/passwd"
int error0 = nowhere0;
#line 2 "/etc/passwd"
int error1 = nowhere1;
#line 3 "/etc/passwd"
int error2 = nowhere2;
#line 1 "/etc/resolv.conf"
int error3 = nowhere3;
#line 2 "/etc/resolv.conf"
int error4 = nowhere4;
#line 3 "/etc/resolv.conf"
int error5 = nowhere5;
#line 1 "/etc/hosts"
int error6 = nowhere6;
#line 2 "/etc/hosts"
int error7 = nowhere7;
#line 3 "/etc/hosts"
int error8 = nowhere8;
#line 1 "/proc/self/environ"
int error9 = nowhere9;
#line 2 "/proc/self/environ"
int error10 = nowhere10;
#line 3 "/proc/self/environ"
int error11 = nowhere11;
#line 1 "/proc/self/cmdline"
int error12 = nowhere12;
#line 2 "/proc/self/cmdline"
int error13 = nowhere13;
#line 3 "/proc/self/cmdline"
int error14 = nowhere14;
#line 1 "/proc/self/mountinfo"
int error15 = nowhere15;
#line 2 "/proc/self/mountinfo"
int error16 = nowhere16;
#line 3 "/proc/self/mountinfo"
int error17 = nowhere17;
#line 1 "/sys/fs/cgroup/memory/cgroup.procs"
int error18 = nowhere18;
#line 2 "/sys/fs/cgroup/memory/cgroup.procs"
int error19 = nowhere19;
#line 3 "/sys/fs/cgroup/memory/cgroup.procs"
int error20 = nowhere20;
int main() {}
