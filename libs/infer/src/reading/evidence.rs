//! Evidence in the numbers of the samples: orders, permutations, trees, promises of graphs.

use crate::reading::content::{Numbers, Parents};
use profiler_input::spec::Graph;
use std::collections::{BTreeMap, HashSet};

/// Minimum number of cycles of even length that are no accident.
const MIN_EVEN_CYCLES: usize = 2;

/// The kinds that all these lists can have.
pub(crate) fn of_numbers(lists: &[Vec<i64>]) -> Vec<Numbers> {
    let long = lists.iter().any(|list| list.len() > 1);
    let base = [1, 0].into_iter().find(|base| lists.iter().all(|list| is_permutation(list, *base)));
    let permutation = base.filter(|_| long).map(Numbers::Permutation);
    [Numbers::Any].into_iter().chain(permutation).collect()
}

fn is_permutation(list: &[i64], base: i64) -> bool {
    let mut sorted = list.to_vec();
    sorted.sort_unstable();
    sorted.iter().zip(base..).all(|(value, expected)| *value == expected)
}

/// Whether each list can hold the parents of the nodes of a tree. An order that is not needed does
/// not count, nor does a number for the root that is also a node's.
pub(crate) fn are_parents(lists: &[Vec<i64>], kind: Parents) -> bool {
    let (base, _) = first_nodes(kind);
    if kind.root.is_some_and(|root| root >= base) || lists.iter().all(|list| list.len() < 2) {
        return false;
    }
    lists.iter().all(|list| form_tree(list, kind))
        && !(kind.any_order && lists.iter().all(|list| rise(list, kind)))
}

/// Whether the numbers are the parents of a tree's nodes, in an order that the kind allows.
pub(crate) fn form_tree(parents: &[i64], kind: Parents) -> bool {
    let (base, first) = first_nodes(kind);
    let edges = (first..).zip(parents).filter(|(_, parent)| Some(**parent) != kind.root);
    let edges: Vec<_> = edges.map(|(node, parent)| (*parent, node)).collect();
    let nodes = i64::try_from(parents.len()).map_or(i64::MAX, |rows| rows + first - base);
    Edges::new(nodes, base, &edges).is_some_and(|edges| edges.is_tree())
        && (kind.any_order || rise(parents, kind))
}

/// Whether each parent has a smaller number than its node, or is that of the root.
fn rise(parents: &[i64], kind: Parents) -> bool {
    let (base, first) = first_nodes(kind);
    let mut all = (first..).zip(parents);
    all.all(|(node, parent)| (base..node).contains(parent) || Some(*parent) == kind.root)
}

/// The first node, and the first one whose parent is in the list.
fn first_nodes(kind: Parents) -> (i64, i64) {
    let base = i64::from(!kind.zero_based);
    (base, base + i64::from(kind.root.is_none()))
}

/// Whether a matrix equals its transpose.
pub(crate) fn is_symmetric(rows: &[Vec<i64>]) -> bool {
    let cell = |row: usize, col: usize| rows.get(row).and_then(|row| row.get(col));
    let all = rows.iter().enumerate();
    all.flat_map(|(row, cells)| (0..cells.len()).map(move |col| (row, col)))
        .all(|(row, col)| cell(row, col) == cell(col, row))
}

/// Whether the characters are balanced brackets. `pairs` has each opening bracket before its
/// closing one.
pub(crate) fn are_balanced(pairs: &[u8], characters: &[i64]) -> bool {
    let mut due = Vec::new();
    let balanced = characters.iter().all(|character| {
        let at = pairs.iter().position(|bracket| i64::from(*bracket) == *character);
        match at {
            Some(at) if at % 2 == 0 => {
                due.push(at + 1);
                true
            }
            at => at.is_some() && due.pop() == at,
        }
    });
    balanced && due.is_empty()
}

/// All brackets, each opening one before its closing one.
pub(crate) const BRACKETS: &str = "()[]{}<>";

/// Whether a word is a sequence of balanced brackets.
pub(crate) fn are_brackets(word: &str) -> bool {
    let characters: Vec<i64> = word.bytes().map(i64::from).collect();
    are_balanced(BRACKETS.as_bytes(), &characters)
}

/// The edges of one graph.
#[derive(Debug, Clone)]
pub(crate) struct Edges {
    pub(crate) nodes: usize,
    /// Pairs of nodes. Those that have edges are numbered from 0, in order.
    pub(crate) pairs: Vec<(usize, usize)>,
    /// The number of nodes that have edges.
    joined: usize,
}

impl Edges {
    /// The edges, if every number in the pairs is one of the `nodes` numbers from `base` on.
    pub(crate) fn new(nodes: i64, base: i64, pairs: &[(i64, i64)]) -> Option<Self> {
        let nodes = usize::try_from(nodes).ok()?;
        let mut joined: BTreeMap<i64, usize> =
            pairs.iter().flat_map(|(from, to)| [(*from, 0), (*to, 0)]).collect();
        for (rank, (number, at)) in joined.iter_mut().enumerate() {
            let node = number.checked_sub(base).and_then(|node| usize::try_from(node).ok());
            node.filter(|node| *node < nodes)?;
            *at = rank;
        }
        let pairs = pairs.iter().map(|(from, to)| (joined[from], joined[to])).collect();
        Some(Self { nodes, pairs, joined: joined.len() })
    }

    pub(crate) fn is_tree(&self) -> bool {
        self.pairs.len() + 1 == self.nodes && self.components() == 1
    }

    pub(crate) fn is_forest(&self) -> bool {
        self.pairs.len() + self.components() == self.nodes
    }

    /// Whether no edge is a loop or occurs twice.
    pub(crate) fn is_simple(&self) -> bool {
        let mut seen = HashSet::new();
        self.pairs.iter().all(|(from, to)| from != to && seen.insert((from, to)))
    }

    fn has_opposite_edges(&self) -> bool {
        let all: HashSet<_> = self.pairs.iter().copied().collect();
        all.iter().any(|(from, to)| from != to && all.contains(&(*to, *from)))
    }

    pub(crate) fn components(&self) -> usize {
        let mut parent: Vec<usize> = (0..self.joined).collect();
        let mut count = self.nodes;
        for &(from, to) in &self.pairs {
            let (from, to) = (root(&mut parent, from), root(&mut parent, to));
            if from != to {
                parent[from] = to;
                count -= 1;
            }
        }
        count
    }

    /// The number of edges beyond those that join the components.
    fn cycles(&self) -> usize {
        (self.pairs.len() + self.components()).saturating_sub(self.nodes)
    }

    /// Whether no cycle has an odd number of edges. Then the two copies of a component remain apart
    /// if each edge changes the copy.
    pub(crate) fn is_bipartite(&self) -> bool {
        let copy = self.joined;
        let crossed = self.pairs.iter().flat_map(|(u, v)| [(*u, v + copy), (u + copy, *v)]);
        let twice =
            Self { nodes: 2 * self.nodes, pairs: crossed.collect(), joined: 2 * self.joined };
        twice.components() == 2 * self.components()
    }

    pub(crate) fn has_no_directed_cycle(&self) -> bool {
        let mut entering = vec![0_usize; self.joined];
        self.pairs.iter().for_each(|(_, to)| entering[*to] += 1);
        let mut ready: Vec<_> = (0..self.joined).filter(|node| entering[*node] == 0).collect();
        let mut leaving = vec![Vec::new(); self.joined];
        self.pairs.iter().for_each(|(from, to)| leaving[*from].push(*to));
        let mut done = 0;
        while let Some(node) = ready.pop() {
            done += 1;
            for &to in &leaving[node] {
                entering[to] -= 1;
                if entering[to] == 0 {
                    ready.push(to);
                }
            }
        }
        done == self.joined
    }
}

fn root(parent: &mut [usize], mut node: usize) -> usize {
    while parent[node] != node {
        parent[node] = parent[parent[node]];
        node = parent[node];
    }
    node
}

/// The promises that all the graphs keep. An input that keeps a promise is also valid for a task
/// that does not ask for the promise, so the spec makes all these promises.
pub(crate) fn promises(graphs: &[Edges]) -> Graph {
    let forests = graphs.iter().all(Edges::is_forest);
    let acyclic = forests || graphs.iter().all(Edges::has_no_directed_cycle);
    let opposite = graphs.iter().any(Edges::has_opposite_edges);
    let simple = graphs.iter().all(Edges::is_simple);
    let cycles: usize = graphs.iter().map(Edges::cycles).sum();
    Graph {
        directed: opposite || (acyclic && !forests),
        acyclic,
        connected: graphs.iter().all(|graph| graph.components() <= 1),
        simple,
        bipartite: simple
            && !opposite
            && cycles >= MIN_EVEN_CYCLES
            && graphs.iter().all(Edges::is_bipartite),
        ..Graph::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_can_be_a_permutation_if_each_is_there_once() {
        assert_eq!(of_numbers(&[vec![2, 3, 1]]), [Numbers::Any, Numbers::Permutation(1)]);
        assert_eq!(of_numbers(&[vec![2, 0, 1]]), [Numbers::Any, Numbers::Permutation(0)]);
        assert_eq!(of_numbers(&[vec![1, 2, 3]]), [Numbers::Any, Numbers::Permutation(1)]);
        assert_eq!(of_numbers(&[vec![2, 3, 1], vec![7]]), [Numbers::Any]);
        assert_eq!(of_numbers(&[vec![1]]), [Numbers::Any]);
    }

    fn graph(nodes: i64, pairs: &[(i64, i64)]) -> Edges {
        Edges::new(nodes, 1, pairs).unwrap()
    }

    #[test]
    fn graphs_promise_what_they_keep() {
        let keeps = |graph: &Edges| {
            let kept = promises(std::slice::from_ref(graph));
            (kept.directed, kept.acyclic, kept.connected, kept.simple)
        };
        assert_eq!(keeps(&graph(3, &[(1, 2), (2, 3), (3, 1)])), (false, false, true, true));
        assert_eq!(keeps(&graph(3, &[(1, 2), (2, 3), (1, 3)])), (true, true, true, true));
        assert_eq!(keeps(&graph(4, &[(1, 2), (4, 3)])), (false, true, false, true));
        assert_eq!(keeps(&graph(2, &[(1, 2), (2, 1)])), (true, false, true, true));
        assert_eq!(keeps(&graph(2, &[(1, 2), (1, 2)])), (true, true, true, false));
        assert_eq!(keeps(&graph(2, &[(1, 2), (1, 1)])), (false, false, true, false));
        assert!(Edges::new(3, 1, &[(1, 4)]).is_none() && Edges::new(3, 1, &[(0, 1)]).is_none());
        assert!(Edges::new(i64::MAX, 1, &[(1, 2)]).is_some());
    }

    #[test]
    fn parents_come_before_their_nodes() {
        let kind = |zero_based, root, any_order| Parents { zero_based, root, any_order };
        for (list, parents) in [
            (vec![1, 1, 2, 2], kind(false, None, false)),
            (vec![0, 0, 1], kind(true, None, false)),
            (vec![3, 1, 2], kind(false, None, true)),
            (vec![0, 1, 1], kind(false, Some(0), false)),
            (vec![2, 3, 0], kind(false, Some(0), true)),
            (vec![1, -1, 1], kind(true, Some(-1), true)),
        ] {
            assert!(are_parents(std::slice::from_ref(&list), parents), "{list:?}");
        }
        for (list, parents) in [
            (vec![2, 1, 2], kind(false, None, false)),
            (vec![1], kind(false, None, false)),
            (vec![1, 1], kind(true, None, false)),
            (vec![3, 2, 1], kind(false, None, true)),
            (vec![0, 1, 0], kind(false, Some(0), true)),
            (vec![0, 0, 1], kind(true, Some(0), false)),
        ] {
            assert!(!are_parents(std::slice::from_ref(&list), parents), "{list:?}");
        }
    }

    #[test]
    fn symmetric_matrices_equal_their_transposes() {
        assert!(is_symmetric(&[vec![0, 5], vec![5, 1]]) && is_symmetric(&[]));
        assert!(!is_symmetric(&[vec![0, 5], vec![4, 1]]) && !is_symmetric(&[vec![0, 5]]));
    }

    #[test]
    fn balanced_brackets_close_in_order() {
        let balanced =
            |text: &str| are_balanced(b"()[]", &text.bytes().map(i64::from).collect::<Vec<_>>());
        assert!(["", "()", "([])[]"].into_iter().all(balanced));
        assert!(!["(", ")(", "([)]", "a"].into_iter().any(balanced));
    }
}
