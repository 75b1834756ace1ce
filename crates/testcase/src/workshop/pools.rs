use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::{Expectation, Spot};
use crate::{Bytes, Literal, MemberName, Places, TestCase, Text, Type};

/// Values and types worth trying, the best first where order matters. Whoever fills it knows the
/// crash; see the crate `seeding`.
#[derive(Clone, Debug, Default)]
pub struct Pools {
    /// Whole numbers, and characters as such.
    pub integers: Vec<i64>,
    /// Floating-point numbers.
    pub floats: Vec<f64>,
    /// Texts.
    pub texts: Vec<Text>,
    /// Texts and characters that code looks for which the frames call, such as the words of a
    /// lexer.
    pub tokens: Vec<Text>,
    /// Cases of switches over texts that lead on to the crash.
    pub cases: Vec<Text>,
    /// Arrays of bytes that such code makes of constants, such as the signature of a format.
    pub tables: Vec<Bytes>,
    /// Values that the message of the log states, the surest first.
    pub logged: Vec<Scalar>,
    /// Values that were recorded outside of the program, one list for each kind of record that has some.
    pub recorded: Vec<RecordedValues>,
    /// Formats of texts that the code around the crash reads.
    pub structures: Vec<Structure>,
    /// Forms of plain texts that it cuts into parts.
    pub forms: Forms,
    /// Internal names of classes that values should have where a wider type is asked for: of
    /// frames, casts, `instanceof`.
    pub types: Vec<String>,
    /// Internal names of classes that the code around the crash uses: places to look for factories.
    pub mentioned: BTreeSet<String>,
    /// Class, in internal form, and method of the frames of the trace, the innermost first: code
    /// that must run.
    pub traced: Vec<(String, String)>,
    /// Methods, with the types that declare them, by which frames of the trace were entered:
    /// a mock that is given an object of such a type may have to call it back.
    pub called_back: Vec<CalledBack>,
    /// Class, in internal form, and method of calls that methods of the trace make on objects of their
    /// own class: methods with a result that are not on the trace, the innermost first.
    pub own_calls: Vec<(String, String)>,
    /// What changes static state that the code around the crash reads, the nearest first.
    pub preparations: Vec<Preparation>,
    /// Methods that write fields which the code around the crash reads, by the classes that declare
    /// them.
    pub influential: BTreeMap<MemberName, Influence>,
    /// Internal names of classes to which the code around the crash casts what the program's
    /// methods yield as any object, for answers whose type says nothing.
    pub cast_classes: Vec<String>,
    /// Types of kinds that the code around the crash asks classes for: primitive, array, enum.
    pub classes_of_kind: Vec<Type>,
    /// What classes of the test are made of, where the code around the crash reflects on classes.
    pub nested: Option<NestedParts>,
    /// Methods of kinds that it asks methods for: static, abstract, with any number of arguments.
    pub methods_of_kind: Vec<MemberName>,
    /// Internal names of types of the JDK whose methods the code around the crash calls, or that it
    /// hands to others that do: `Object` and interfaces.
    pub questioned: BTreeSet<String>,
    /// Internal name of the type to which the crash failed to cast a value, if it did.
    pub failed_cast: Option<String>,
    /// Ways in which the program uses objects, by the internal names of their classes.
    pub behaviours: BTreeMap<String, Vec<Behaviour>>,
    /// Tests that were carved, the given ones first.
    pub tests: Vec<SeedTest>,
    /// What the code around the crash expects of values, by the spots that they pass.
    pub expectations: BTreeMap<Spot, Expectation>,
    /// Whether there are so few classes that loading all of them takes no longer than some tests.
    pub is_small: bool,
    /// Whether the code around the crash reads bytes and no characters.
    pub reads_bytes: bool,
    /// Whether the code around the crash opens files.
    pub opens_files: bool,
    /// Whether the program is a mock library: it cannot make the mocks of its own tests, and
    /// another would get into its way.
    pub is_mock_library: bool,
    /// Whether the crash is a `ConcurrentModificationException`.
    pub is_modification_crash: bool,
    /// Whether the crash is a `NullPointerException`.
    pub is_null_crash: bool,
}

/// What the fields and annotations of classes of the test are taken from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NestedParts {
    /// Annotations, those that the code around the crash names first.
    pub annotations: Vec<AnnotationType>,
    /// Types of fields that it mentions.
    pub types: Vec<Type>,
}

/// An annotation type of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnnotationType {
    /// Its type.
    pub of: Type,
    /// Where it may stand.
    pub places: Places,
    /// Its elements; optional ones that tests cannot write are left out.
    pub elements: Vec<Element>,
}

/// An element of an annotation type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    /// Its name.
    pub name: Arc<str>,
    /// What its values are.
    pub kind: ElementKind,
    /// Whether it has no default.
    pub is_required: bool,
}

/// What values of an element of an annotation are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ElementKind {
    /// Numbers, truth values, characters or texts of a type.
    Plain(Type),
    /// Any class, or the class above all that may be given.
    Class(Option<Type>),
    /// Constants of an enum, which has some.
    Constant(Type, Vec<Arc<str>>),
    /// Any number of values.
    Array(Box<ElementKind>),
}

/// Values of one kind of record, such as the log or the project's tests, the nearest to the crash first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecordedValues {
    /// Texts.
    pub texts: Vec<Text>,
    /// Whole numbers.
    pub integers: Vec<i64>,
    /// Floating-point numbers.
    pub floats: Vec<f64>,
}

/// Calls on one object, as names and descriptors of methods; a constructor, if there is one, comes first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Behaviour(pub Vec<(String, String)>);

/// A test of the project, or one that was given, as a test case in its own package. It need not lead into
/// any target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeedTest {
    /// Class and method: `post.DeskTest.opens`.
    pub name: String,
    /// Its statements.
    pub case: TestCase,
    /// Whether it was given, and is not one of many.
    pub is_given: bool,
}

/// How near to the frames the code is that reads a field which a method writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Influence {
    /// Somewhere below the frames, or in code that reads many fields.
    Far,
    /// It is near, but the method only changes the collection or map that the field holds: whether the
    /// crash depends on what is in there is less sure than that it depends on the field.
    Contents,
    /// A frame reads it, or a method that a frame calls to ask for little else.
    Near,
}

impl Influence {
    /// Whether the code that reads the field is near to the frames.
    pub(crate) fn is_near(self) -> bool {
        self != Self::Far
    }
}

/// A method of a type above the class of a frame.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CalledBack {
    /// Internal name of the type.
    pub of: String,
    /// Name of the method.
    pub method: String,
}

/// A format of texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Structure {
    /// Elements in each other, with attributes.
    Xml,
    /// Objects, lists and plain values.
    Json,
    /// Words, names, calls and operators, as in queries and formulas.
    Query,
}

/// How the code around the crash cuts plain texts into parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Forms {
    /// The forms that it reads.
    pub kinds: Vec<Form>,
    /// Signs at which it cuts texts into any number of fields.
    pub cuts: Vec<char>,
    /// Signs that it looks for to find parts, these included.
    pub separators: Vec<char>,
    /// Numbers of fields that it compares with.
    pub counts: Vec<usize>,
    /// Marks that open something, each with the one that closes it.
    pub marks: Vec<(String, String)>,
}

/// A form of plain texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Lines that begin with marks, words, blanks or tabs, with empty ones between them.
    Lines,
    /// Names with values, in lines or lists, maybe between a beginning and an end of the same name.
    Entries,
    /// Words and numbers with a sign between them.
    Fields,
    /// Text with something between marks that open and close.
    Marked,
}

/// One side of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub enum Scalar {
    /// A whole number, a character or a truth value.
    Integer(i64),
    /// A floating-point number.
    Float(f64),
    /// A text.
    Text(Text),
}

/// Something that a test can do first so that later code finds other static state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preparation {
    /// The method that is called, or the static field that is written.
    pub member: MemberName,
    /// The static method or field that holds the object on which an instance method is called.
    pub holder: Option<MemberName>,
    /// The first arguments, where they are known.
    pub arguments: Vec<Literal>,
    /// How often it is chosen, compared with the others.
    pub weight: u32,
    /// What is no longer null after it: static fields, and static methods that yield what these
    /// hold, as `package/Class.name`.
    pub provides: BTreeSet<String>,
    /// Whether the initialiser of a class reads what it changes: it has an effect only before that
    /// class is used.
    pub precedes_initialiser: bool,
}
