use std::collections::{BTreeMap, HashMap};

use crashback_classfile::ClassFile;
use crashback_program::code::MethodBody;
use smallvec::SmallVec;

use crate::model::Outgoing;
use crate::sequences::{Call, for_each_sequence};
use crate::{Action, Model, Models};

/// Counts the call sequences of classes that come one by one. Its memory grows with the models, and not
/// with the number of sequences.
pub struct Collector {
    order: usize,
    classes: Names,
    actions: Names,
    /// How often a class was seen in a state and then with an action, or at its end.
    counts: HashMap<(u32, Recent, u32), u64>,
}

/// The last actions of an object.
type Recent = SmallVec<[u32; 3]>;

/// Stands for the end of a sequence in the place of an action.
const END: u32 = u32::MAX;

impl Collector {
    /// A collector for models in which an action depends on the `order - 1` before it.
    pub fn new(order: usize) -> Self {
        Self { order, classes: Names::default(), actions: Names::default(), counts: HashMap::new() }
    }

    /// Adds the sequences in the methods of a class file, as far as they are of classes that are wanted
    /// (internal names). Code that cannot be read is passed over: the class path reports damaged classes.
    pub fn add_class(&mut self, bytes: &[u8], wanted: impl Fn(&str) -> bool) {
        let Ok(file) = ClassFile::parse(bytes) else { return };
        for method in &file.methods {
            if let Ok(Some(body)) = MethodBody::of(&file, method) {
                for_each_sequence(&body, |class, calls| {
                    let class = class.to_str();
                    if wanted(&class) {
                        self.add(&class, calls);
                    }
                });
            }
        }
    }

    /// Adds one sequence of an object of a class.
    pub fn add(&mut self, class: &str, calls: &[Call<'_>]) {
        let class = self.classes.number(class);
        // Names of members hold no dot (JVMS 4.2.2).
        let number = |it: &Call<'_>| self.actions.number_of_parts(&it.name.to_str(), &it.descriptor.to_str());
        let actions: SmallVec<[u32; 8]> = calls.iter().map(number).collect();
        self.count(class, &actions, 1);
    }

    /// Adds a sequence that so many objects of a class had.
    pub fn add_times<'n>(
        &mut self,
        class: &str,
        actions: impl Iterator<Item = (&'n str, &'n str)>,
        times: u64,
    ) {
        let class = self.classes.number(class);
        let number = |(name, descriptor): (&str, &str)| self.actions.number_of_parts(name, descriptor);
        let actions: SmallVec<[u32; 8]> = actions.map(number).collect();
        self.count(class, &actions, times);
    }

    fn count(&mut self, class: u32, actions: &[u32], times: u64) {
        let mut recent = Recent::new();
        for action in actions {
            let count = self.counts.entry((class, recent.clone(), *action)).or_default();
            *count = count.saturating_add(times);
            remember(&mut recent, *action, self.order);
        }
        let ends = self.counts.entry((class, recent, END)).or_default();
        *ends = ends.saturating_add(times);
    }

    /// The models of all classes that were seen.
    pub fn finish(self) -> Models {
        let Self { order, classes, actions, counts } = self;
        let mut counts: Vec<_> = counts.into_iter().collect();
        counts.sort_unstable();
        let mut models = BTreeMap::new();
        for of_class in counts.chunk_by(|((a, ..), _), ((b, ..), _)| a == b) {
            let class = of_class.first().and_then(|((class, ..), _)| classes.text(*class));
            let Some(class) = class else { continue };
            models.insert(class.into(), model(of_class, &actions));
        }
        Models::new(order, models)
    }
}

/// Shifts an action into the last ones.
fn remember(recent: &mut Recent, action: u32, order: usize) {
    recent.push(action);
    if recent.len() >= order {
        recent.remove(0);
    }
}

fn model(counts: &[((u32, Recent, u32), u64)], names: &Names) -> Model {
    let mut actions: Vec<(Action, u32)> = Vec::new();
    let mut numbers: Vec<u32> = counts.iter().map(|((_, _, action), _)| *action).collect();
    numbers.sort_unstable();
    numbers.dedup();
    for number in numbers.into_iter().filter(|it| *it != END) {
        let parts = names.text(number).and_then(|it| it.split_once('.'));
        let (name, descriptor) = parts.unwrap_or_default();
        actions.push((Action::new(name, descriptor), number));
    }
    actions.sort_unstable();
    let places: HashMap<u32, u32> =
        (0..).zip(&actions).map(|(place, (_, number))| (*number, place)).collect();
    let place = |number: &u32| places.get(number).copied().unwrap_or_default();
    let mut states: BTreeMap<Vec<u32>, Outgoing> = BTreeMap::new();
    for ((_, recent, action), count) in counts {
        let outgoing = states.entry(recent.iter().map(place).collect()).or_default();
        match *action {
            END => outgoing.ends += count,
            ref action => *outgoing.next.entry(place(action)).or_default() += count,
        }
    }
    Model::new(actions.into_iter().map(|(action, _)| action).collect(), states)
}

/// Texts with numbers.
#[derive(Default)]
struct Names {
    numbers: HashMap<Box<str>, u32>,
    texts: Vec<Box<str>>,
    /// Where texts are put together.
    scratch: String,
}

impl Names {
    fn number(&mut self, text: &str) -> u32 {
        if let Some(known) = self.numbers.get(text) {
            return *known;
        }
        // There are fewer texts than bytes in memory, of which 32 bits count enough for this.
        let number = u32::try_from(self.texts.len()).unwrap_or(END - 1);
        self.texts.push(text.into());
        self.numbers.insert(text.into(), number);
        number
    }

    fn number_of_parts(&mut self, first: &str, second: &str) -> u32 {
        let mut text = std::mem::take(&mut self.scratch);
        text.clear();
        text.push_str(first);
        text.push('.');
        text.push_str(second);
        let number = self.number(&text);
        self.scratch = text;
        number
    }

    fn text(&self, number: u32) -> Option<&str> {
        self.texts.get(number as usize).map(|it| &**it)
    }
}
