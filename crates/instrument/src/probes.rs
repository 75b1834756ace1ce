//! The methods that probes call, and the table that says what each probe is.

use crashback_classfile::Opcode;

use crate::variables::WatchedVariable;

/// Writes an enum of methods that inserted code calls, and its tables, from one list. Each row
/// holds: meaning, variant, name and descriptor of the method.
macro_rules! runtime_methods {
    (
        $(#[$about:meta])* $enum:ident;
        $($(#[$meta:meta])* $variant:ident $name:literal $descriptor:literal;)*
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $enum {
            $($(#[$meta])* $variant,)*
        }

        impl $enum {
            /// All methods that the class must have.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Its name; methods of the same name differ in their descriptors.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// Its descriptor.
            pub fn descriptor(self) -> &'static str {
                match self {
                    $(Self::$variant => $descriptor,)*
                }
            }
        }
    };
}
pub(crate) use runtime_methods;

runtime_methods! {
    /// A public static method of the class that the plan names as `runtime`. All are without
    /// result.
    ///
    /// The last parameter is the number of the probe, except where a row says otherwise; those
    /// before it are copies of what the instruction is about to take from the stack. References
    /// come as `Object`, so that no probe makes the verifier load a class to find out whether it is
    /// assignable.
    ProbeMethod;
    /// One unit of the budget is spent: a method was entered or a loop goes round. Without number,
    /// since it is the most frequent call and the stack trace of what it throws says where it was.
    Budget "budget" "()V";
    /// An exception arrives at a handler that catches errors of the runtime too. Throws again when
    /// the test is over, so that no `finally` and no `catch (Throwable …)` can hold it. Without
    /// number.
    Handler "handler" "(Ljava/lang/Object;)V";
    /// A jump compares an `int` with 0: `ifeq` to `ifle`.
    JumpInt "jump" "(II)V";
    /// A jump compares two `int`s.
    JumpInts "jump" "(III)V";
    /// Two `long`s are compared for a jump: `lcmp` and one of `ifeq` to `ifle`.
    JumpLongs "jump" "(JJI)V";
    /// Two `float`s are compared for a jump.
    JumpFloats "jump" "(FFI)V";
    /// Two `double`s are compared for a jump.
    JumpDoubles "jump" "(DDI)V";
    /// A jump compares a reference with null.
    JumpReference "jump" "(Ljava/lang/Object;I)V";
    /// A jump compares two references.
    JumpReferences "jump" "(Ljava/lang/Object;Ljava/lang/Object;I)V";
    /// A switch looks at its key.
    Switch "switchKey" "(II)V";
    /// The first instruction of a line is reached.
    Line "line" "(I)V";
    /// The first instruction of a basic block is reached.
    Block "block" "(I)V";
    /// A method on the target call chain is entered. One number stands for the frame in this and
    /// the next two.
    Enter "enter" "(I)V";
    /// The method returns.
    Leave "leave" "(I)V";
    /// The method is left by an exception. Not called when a constructor is left before `super()`
    /// has returned: a record of the nesting must drop such frames when an outer one is left. It
    /// may follow `leave` when an asynchronous exception comes in between.
    Unwind "unwind" "(Ljava/lang/Throwable;I)V";
    /// An exception arrives at a handler of the method.
    Caught "caught" "(Ljava/lang/Object;I)V";
    /// `equals` of `String`, or of `Object` when the static type says no more: receiver, argument.
    Equals "equalTo" "(Ljava/lang/Object;Ljava/lang/Object;I)V";
    /// `String.equalsIgnoreCase`: receiver, argument.
    EqualsIgnoreCase "equalsIgnoreCase" "(Ljava/lang/Object;Ljava/lang/Object;I)V";
    /// `String.startsWith`: receiver, prefix.
    StartsWith "startsWith" "(Ljava/lang/Object;Ljava/lang/Object;I)V";
    /// `String.startsWith` with an offset: receiver, prefix, offset.
    StartsWithAt "startsWith" "(Ljava/lang/Object;Ljava/lang/Object;II)V";
    /// `String.endsWith`: receiver, suffix.
    EndsWith "endsWith" "(Ljava/lang/Object;Ljava/lang/Object;I)V";
    /// `String.contains`: receiver, argument.
    ContainsText "containsText" "(Ljava/lang/Object;Ljava/lang/Object;I)V";
    /// `String.indexOf` or `lastIndexOf` of a text: receiver, argument.
    FindText "findText" "(Ljava/lang/Object;Ljava/lang/Object;I)V";
    /// `String.indexOf` of a text from an index on: receiver, argument, index.
    FindTextFrom "findText" "(Ljava/lang/Object;Ljava/lang/Object;II)V";
    /// `String.indexOf` or `lastIndexOf` of a character: receiver, character.
    FindCharacter "findCharacter" "(Ljava/lang/Object;II)V";
    /// `String.indexOf` of a character from an index on: receiver, character, index.
    FindCharacterFrom "findCharacter" "(Ljava/lang/Object;III)V";
    /// `String.matches`: receiver, pattern.
    Matches "matches" "(Ljava/lang/Object;Ljava/lang/Object;I)V";
    /// `String.regionMatches`: receiver, offset, argument, its offset, length.
    RegionMatches "regionMatches" "(Ljava/lang/Object;ILjava/lang/Object;III)V";
    /// `String.regionMatches` with a choice: receiver, whether case is ignored, offset, argument,
    /// its offset, length.
    RegionMatchesCase "regionMatches" "(Ljava/lang/Object;ZILjava/lang/Object;III)V";
    /// `Objects.equals`: both arguments.
    ObjectsEquals "objectsEqual" "(Ljava/lang/Object;Ljava/lang/Object;I)V";
    /// `containsKey` of any class, in the hope of a `Map`: receiver, key.
    ContainsKey "containsKey" "(Ljava/lang/Object;Ljava/lang/Object;I)V";
    /// `get` of any class, in the hope of a `Map`: receiver, key.
    Get "get" "(Ljava/lang/Object;Ljava/lang/Object;I)V";
    /// `contains` of any class, in the hope of a `Collection`: receiver, element.
    Contains "contains" "(Ljava/lang/Object;Ljava/lang/Object;I)V";
    /// `indexOf` of any class, in the hope of a `List`: receiver, element.
    IndexOf "indexOf" "(Ljava/lang/Object;Ljava/lang/Object;I)V";
    /// A switch over a text looks at its hash code: the text.
    TextSwitch "switchText" "(Ljava/lang/Object;I)V";
    /// Two objects are compared that may be texts. Without number, as the next: these lie in all code of the
    /// project.
    Word "word" "(Ljava/lang/Object;Ljava/lang/Object;)V";
    /// Something is looked up in what may be a map or a collection: that, then the key.
    WordIn "wordIn" "(Ljava/lang/Object;Ljava/lang/Object;)V";
    /// An element of an array is read or written, or one of a text or list is asked for: array,
    /// text or list, then index.
    Index "index" "(Ljava/lang/Object;II)V";
    /// `substring` of a text: the text, where the part begins.
    RangeFrom "range" "(Ljava/lang/Object;II)V";
    /// The same: the text, where the part begins and ends.
    Range "range" "(Ljava/lang/Object;III)V";
    /// An `int` is divided: divisor.
    DivisorInt "divisor" "(II)V";
    /// A `long` is divided: divisor.
    DivisorLong "divisor" "(JI)V";
    /// An array is made: length.
    Length "length" "(II)V";
    /// An element of an array, text or list is used: that, then the index, from 0 to below the
    /// length. The rows down to `Checked` stand for accesses by index, in terms of the JDK's
    /// documentation. Each bound that such an access must keep has a number, from that of the probe on.
    Element "element" "(Ljava/lang/Object;II)V";
    /// A place between elements is used: the text or list, then the index, from 0 to the length.
    Gap "gap" "(Ljava/lang/Object;II)V";
    /// The element before an index is used: the text, then the index, from 1 to the length.
    Before "before" "(Ljava/lang/Object;II)V";
    /// A part is used: the text or list, where the part begins and where it ends.
    Part "part" "(Ljava/lang/Object;III)V";
    /// A part is cut out that may end behind the text: the text, where the part begins and ends.
    Cut "cut" "(Ljava/lang/Object;III)V";
    /// A run of elements is used: the array, the first index, the count.
    Run "run" "(Ljava/lang/Object;III)V";
    /// A part is copied into an array: the text, begin, end, the array, the index there.
    Into "into" "(Ljava/lang/Object;IILjava/lang/Object;II)V";
    /// `System.arraycopy`: source, index there, target, index there, count.
    Copy "copy" "(Ljava/lang/Object;ILjava/lang/Object;III)V";
    /// `Objects.checkIndex`: index, length.
    Checked "checked" "(III)V";
    /// A jump compares an `int` variable with 0.
    VariableInt "variable" "(II)V";
    /// A jump compares two `int`s, of which the [jump code](Probe::jump_code) tells the variable.
    VariableInts "variable" "(III)V";
    /// The same for `long`s.
    VariableLongs "variable" "(JJI)V";
    /// The same for `float`s.
    VariableFloats "variable" "(FFI)V";
    /// The same for `double`s.
    VariableDoubles "variable" "(DDI)V";
    /// A jump compares a variable with null.
    VariableReference "variable" "(Ljava/lang/Object;I)V";
    /// A jump compares two references, of which the jump code tells the variable.
    VariableReferences "variable" "(Ljava/lang/Object;Ljava/lang/Object;I)V";
    /// A method of the target call chain is entered, with an argument: that, then the number of its
    /// parameter, from 0 on. Without number of a probe, as the next three: the call chain tells the method.
    ArgumentObject "argument" "(Ljava/lang/Object;I)V";
    /// The same with an `int`, or a smaller number.
    ArgumentInt "argument" "(II)V";
    /// The same with a `long`.
    ArgumentLong "argument" "(JI)V";
    /// The same with a `float`.
    ArgumentFloat "argument" "(FI)V";
    /// The same with a `double`.
    ArgumentDouble "argument" "(DI)V";
    /// A method that hands out events of a logging library is entered: the event.
    Logged "logged" "(Ljava/lang/Object;)V";
    /// The initialiser of a class begins. The number is that of the class, which the instrumenting
    /// process gave it.
    Initialiser "initialiser" "(I)V";
    /// The initialiser of a class is about to return, with the number of the class. Not called when
    /// an exception leaves it: the class is then unusable.
    Initialised "initialised" "(I)V";
    /// A static field is about to be written, or read in such a way that what it holds may change;
    /// not by the initialiser of its class. The number is that of the class through which the field
    /// is named. The field may belong to a class or interface above it.
    Touch "touch" "(I)V";
}

/// A probe in the table beside an instrumented class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    /// The number that the runtime class gets.
    pub id: i32,
    /// Offset, in the original code, of the instruction it watches: of the jump where a compare
    /// comes before it, 0 for a frame.
    pub offset: u32,
    /// Line of that instruction, where the class says so.
    pub line: Option<u16>,
    /// What it watches.
    pub kind: ProbeKind,
}

impl Probe {
    /// In a [jump code](Self::jump_code): a compare of `float` or `double` takes NaN for greater,
    /// as `fcmpg` and `dcmpg` do; without it NaN is less.
    pub const NAN_IS_GREATER: u8 = 0x40;

    /// What computing the distances to both sides of a jump needs beside the operands, in one byte;
    /// of a variable its [code](WatchedVariable::code), and 0 for probes of other kinds.
    ///
    /// It is the opcode of the conditional jump (JVMS 6.5), 0x99 to 0xa6, 0xc6 or 0xc7, whose
    /// operands the descriptor of the [`ProbeMethod`] tells: after a compare, `ifeq` to `ifle`
    /// relate the two operands of the compare. What NaN does there is told by the bit
    /// [`NAN_IS_GREATER`](Self::NAN_IS_GREATER), which no opcode of a jump on an `int` has.
    pub fn jump_code(&self) -> u8 {
        match self.kind {
            ProbeKind::Jump { compare: Some(Opcode::Fcmpg | Opcode::Dcmpg), jump } => {
                jump as u8 | Self::NAN_IS_GREATER
            }
            ProbeKind::Jump { jump, .. } => jump as u8,
            ProbeKind::Variable(variable) => variable.code(),
            _ => 0,
        }
    }
}

/// What a probe watches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProbeKind {
    /// A conditional jump.
    Jump {
        /// `lcmp`, `fcmpl`, `fcmpg`, `dcmpl` or `dcmpg`, where its result decides; the operands are
        /// then those of the compare.
        compare: Option<Opcode>,
        /// The jump.
        jump: Opcode,
    },
    /// A switch.
    Switch,
    /// A line.
    Line,
    /// A basic block.
    Block,
    /// A method as a frame of the target call chain.
    Frame,
    /// A call that compares or looks up.
    Call(ProbeMethod),
    /// An instruction that throws if its operands are wrong.
    Throw,
    /// A bound that an access by index must keep. An access has as many of these, one after the other,
    /// as it has bounds.
    Indexed,
    /// A variable that a conditional jump compares.
    Variable(WatchedVariable),
    /// A handler.
    Caught {
        /// Whether all its entries in the exception table catch everything, as those of `finally`
        /// and `synchronized` do.
        everything: bool,
    },
}
