#include "graph.h"
int main() {}
