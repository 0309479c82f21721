//! The genes of a spot. Named genes, such as a sorted order or the smallest values, are a fixed
//! list that is tried first. Random genes follow.

use crate::gene::{
    self, Amount, Aspect, Gene, Letters, Spot, Value, WHOLE, Width, Window, parts, rules,
};
use crate::genome::Genome;
use crate::random::Random;
use crate::space::Space;
use profiler_input::spec::variable::Kind;
use profiler_input::spec::{Graph, GraphShape, Order, Pattern};
use std::mem::discriminant;

const HALF: u32 = WHOLE / 2;
/// Maximum number of letters of an alphabet that are each tried alone.
const MAX_SINGLE_LETTERS: usize = 6;
/// Factor by which a frequent letter is drawn more often than each other letter.
const MOSTLY: u8 = 16;

const ORDERS: [Order; 7] = [
    Order::Sorted,
    Order::Reversed,
    Order::NearlySorted,
    Order::OrganPipe,
    Order::AntiQuicksort,
    Order::AntiMiddlePivot,
    Order::AntiHash,
];
const PATTERNS: [Pattern; 5] = [
    Pattern::AllSame,
    Pattern::LastDiffers,
    Pattern::Periodic,
    Pattern::Fibonacci,
    Pattern::ThueMorse,
];
/// The numbers whose multiples are tried: sizes of hash tables.
const STEPS: [Amount; 4] =
    [Amount::Fixed(1024), Amount::Fixed(1 << 16), Amount::Fixed(1000), Amount::Part(WHOLE)];

/// Genomes of each candidate: without choices, with every named choice alone, and with every named
/// choice at all spots that have the same kind of aspect.
pub(crate) fn genomes(space: &Space, seed: u32) -> Vec<Genome> {
    let mut genomes = Vec::new();
    for candidate in 0..space.candidates() {
        let declared = Genome::declared(candidate, seed);
        let spots = space.spots(candidate);
        let named =
            |spot| space.kind(candidate, spot).map_or_else(Vec::new, |kind| genes(spot, kind));
        genomes.push(declared.clone());
        for &spot in spots {
            genomes.extend(named(spot).into_iter().map(|gene| declared.clone().with(spot, gene)));
        }
        let mut done: Vec<Aspect> = Vec::new();
        for &spot in spots {
            let is_like = |aspect: &Aspect| discriminant(aspect) == discriminant(&spot.aspect);
            if done.iter().any(is_like) {
                continue;
            }
            done.push(spot.aspect);
            let alike: Vec<_> = spots.iter().filter(|other| is_like(&other.aspect)).collect();
            if alike.len() < 2 {
                continue;
            }
            for gene in named(spot) {
                let all = alike.iter().filter(|other| named(***other).contains(&gene));
                genomes.push(all.fold(declared.clone(), |it, spot| it.with(**spot, gene.clone())));
            }
        }
    }
    genomes
}

/// Genomes with each of the shortest rules alone: for every order and pattern that a candidate
/// leaves open, and for all of them alike.
pub(crate) fn ruled(space: &Space, seed: u32) -> Vec<Genome> {
    let orders: Vec<Gene> = rules::shortest().into_iter().map(Gene::Rule).collect();
    let patterns: Vec<Gene> = parts::shortest().into_iter().map(Gene::Parts).collect();
    let each = [(Aspect::Order, orders), (Aspect::Pattern, patterns)];
    let mut genomes = Vec::new();
    let all = (0..space.candidates()).flat_map(|it| each.iter().map(move |each| (it, each)));
    for (candidate, (aspect, genes)) in all {
        let spots = space.spots(candidate).iter().filter(|spot| spot.aspect == *aspect);
        let spots: Vec<Spot> = spots.copied().collect();
        let alone = spots.iter().map(|spot| vec![*spot]);
        let alike = (spots.len() > 1).then(|| spots.clone());
        for chosen in alone.chain(alike) {
            genomes.extend(genes.iter().map(|gene| {
                let declared = Genome::declared(candidate, seed);
                chosen.iter().fold(declared, |it, spot| it.with(*spot, gene.clone()))
            }));
        }
    }
    genomes
}

/// The named genes of a spot, in a variable of this kind.
pub(crate) fn genes(spot: Spot, kind: &Kind) -> Vec<Gene> {
    match spot.aspect {
        Aspect::Order => orders(kind),
        Aspect::Range(_) => {
            let widths = [Width::Fixed(1), Width::Fixed(2), Width::Length];
            let windows = widths.into_iter().flat_map(|it| [Window::Low(it), Window::High(it)]);
            windows.chain([Window::Exact(0)]).map(Gene::Range).collect()
        }
        Aspect::Pattern => {
            let few = PATTERNS.map(|pattern| Gene::Pattern(pattern, Amount::Fixed(2)));
            let half = Gene::Pattern(Pattern::Periodic, Amount::Part(HALF));
            few.into_iter().chain([half]).collect()
        }
        Aspect::Letters => letters(kind),
        Aspect::Tree => shapes().map(Gene::Tree).collect(),
        Aspect::Graph => graphs(),
        Aspect::Value => [Value::Low, Value::High, Value::Part(HALF)].map(Gene::Value).into(),
        Aspect::Length => [Amount::Fixed(1), Amount::Root, Amount::Part(HALF), Amount::Part(WHOLE)]
            .map(Gene::Length)
            .into(),
        Aspect::Kinds => kinds(kind),
        Aspect::Step => STEPS.map(Gene::Step).into(),
        Aspect::Points => shapes().map(Gene::Points).collect(),
        Aspect::Nodes => vec![Gene::Nodes(Amount::Part(HALF))],
    }
}

/// A random gene of a spot.
pub(crate) fn draw(spot: Spot, kind: &Kind, random: &mut Random) -> Option<Gene> {
    Some(match spot.aspect {
        Aspect::Order => match random.pick(&orders(kind))? {
            Gene::Order(order, _) => Gene::Order(*order, Amount::draw(random)),
            other => other.clone(),
        },
        Aspect::Range(_) => Gene::Range(Window::draw(random)),
        Aspect::Pattern => Gene::Pattern(*random.pick(&PATTERNS)?, Amount::draw(random)),
        Aspect::Letters => Gene::Letters(Letters::draw(random)),
        Aspect::Tree => Gene::Tree(*random.pick(&shapes().collect::<Vec<_>>())?),
        Aspect::Graph => random.pick(&graphs())?.clone(),
        Aspect::Value => Gene::Value(Value::draw(random)),
        Aspect::Length => Gene::Length(Amount::draw(random)),
        Aspect::Step => Gene::Step(gene::step(random)),
        Aspect::Points => Gene::Points(*random.pick(&shapes().collect::<Vec<_>>())?),
        Aspect::Nodes => Gene::Nodes(Amount::draw(random)),
        Aspect::Kinds => {
            let Kind::Queries(queries) = kind else { return None };
            Gene::Kinds(gene::kinds(queries.variants.len(), random))
        }
    })
}

/// Every value of an enum of shapes but UNSPECIFIED and RANDOM, which are 0 and 1.
fn shapes<E: TryFrom<i32>>() -> impl Iterator<Item = E> {
    (2..).map_while(|value| E::try_from(value).ok())
}

fn orders(kind: &Kind) -> Vec<Gene> {
    let mut orders: Vec<_> = ORDERS.map(|order| Gene::Order(order, Amount::Fixed(2))).into();
    match kind {
        Kind::Array(array) if !array.distinct => orders.extend([
            Gene::Order(Order::AllEqual, Amount::Fixed(2)),
            Gene::Order(Order::FewDistinct, Amount::Fixed(2)),
            Gene::Order(Order::FewDistinct, Amount::Root),
        ]),
        Kind::Array(_) => {}
        _ => orders.retain(|gene| !matches!(gene, Gene::Order(Order::AntiHash, _))),
    }
    orders
}

fn letters(kind: &Kind) -> Vec<Gene> {
    let count = match kind {
        Kind::Grid(grid) => grid.alphabet.len(),
        Kind::Text(text) if !text.alphabet.is_empty() => text.alphabet.len(),
        _ => MAX_SINGLE_LETTERS,
    };
    let all = u8::try_from(count).unwrap_or(u8::MAX);
    let each = 0..u8::try_from(count.min(MAX_SINGLE_LETTERS)).unwrap_or(0);
    let single = each.clone().map(|first| Letters { first, count: 1, often: 1 });
    let mostly = each.map(|first| Letters { first, count: all, often: MOSTLY });
    let two = [Letters { first: 0, count: 2, often: 1 }];
    single.chain(mostly).chain(two).map(Gene::Letters).collect()
}

fn graphs() -> Vec<Gene> {
    let of_shape = |shape: GraphShape| Graph { shape: shape.into(), ..Graph::default() };
    [
        Graph { acyclic: true, ..Graph::default() },
        Graph { connected: true, ..Graph::default() },
        Graph { simple: true, ..Graph::default() },
        Graph { bipartite: true, ..Graph::default() },
        Graph { acyclic: true, connected: true, simple: true, ..Graph::default() },
        of_shape(GraphShape::Layered),
        of_shape(GraphShape::Band),
    ]
    .map(Gene::Graph)
    .into()
}

/// A gene for each kind of query, with queries of this kind alone.
fn kinds(kind: &Kind) -> Vec<Gene> {
    let Kind::Queries(queries) = kind else { return Vec::new() };
    let count = queries.variants.len();
    let alone = |only: usize| (0..count).map(|at| u32::from(at == only)).collect();
    (0..count).map(|only| Gene::Kinds(alone(only))).collect()
}
