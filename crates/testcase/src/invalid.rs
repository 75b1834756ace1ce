use thiserror::Error;

use crate::{Bytes, MemberName, Type, Var};

/// Why a test case is not valid: a statement and what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("statement {statement}: {problem}")]
pub struct Invalid {
    /// Number of the statement, from 0.
    pub statement: usize,
    /// What is wrong.
    pub problem: Problem,
}

/// What can be wrong with a statement.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Problem {
    /// Variables are numbered with 16 bits, and so are completed statements.
    #[error("a test case has at most {} statements", u16::MAX)]
    TooManyStatements,
    /// A number that the vocabulary does not have, or an entry that names such a number.
    #[error("it names something that is not in the vocabulary")]
    NotInVocabulary,
    /// A variable that no earlier statement defines.
    #[error("variable {} is used before its definition", .0.0)]
    UndefinedVariable(Var),
    /// A variable whose statement yields nothing.
    #[error("statement {} yields no value that could be used", .0.0)]
    VoidVariable(Var),
    /// Too many or too few arguments.
    #[error("{member} takes {expected} arguments, not {actual}")]
    ArgumentCount {
        /// The method or constructor.
        member: MemberName,
        /// Its parameters.
        expected: usize,
        /// The arguments given.
        actual: usize,
    },
    /// A value where none of its type can stand.
    #[error("variable {} is a {}, not a {}", .variable.0, .from.view(), .to.view())]
    NotAssignable {
        /// The variable.
        variable: Var,
        /// Its type.
        from: Type,
        /// The type wanted.
        to: Type,
    },
    /// A primitive value or a primitive type where a reference is wanted.
    #[error("{} is no type of objects", .0.view())]
    NotAReference(Type),
    /// A descriptor that is none, or the `void` of methods without result.
    #[error("{} is no type of values", .0.view())]
    MalformedType(Type),
    /// A class of the test that a source could not declare, and why.
    #[error("the test cannot declare a class with {0}")]
    NotDeclarable(String),
    /// A class that a source file would have to name and that the index does not have.
    #[error("class {0} is not on the class path")]
    UnknownClass(String),
    /// A member that neither the class nor anything above it has.
    #[error("there is no {0}")]
    UnknownMember(MemberName),
    /// The vocabulary says static and the class does not, or the other way round.
    #[error("{0} is static for the vocabulary or for its class, but not for both")]
    StaticDiffers(MemberName),
    /// `new` with something that is no constructor.
    #[error("{0} is no constructor")]
    NotAConstructor(MemberName),
    /// A constructor called like a method.
    #[error("{0} is called like a method, but is a constructor")]
    ConstructorCalled(MemberName),
    /// An instance member without an object.
    #[error("{0} needs an object to be used on")]
    ReceiverMissing(MemberName),
    /// A static member with an object.
    #[error("{0} is static and takes no object")]
    ReceiverNeedless(MemberName),
    /// A class that a test in its package cannot access, or one nested in such a class (JLS 6.6.1).
    #[error("class {0} is not accessible from the test's package")]
    InaccessibleClass(String),
    /// A class in a package that its module does not export.
    #[error("class {0} lies in a package that its module keeps to itself")]
    UnexportedClass(String),
    /// An anonymous or a local class.
    #[error("class {0} is anonymous or local and has no name outside its method")]
    NamelessClass(String),
    /// A class of the unnamed package, seen from any other (JLS 7.4.2).
    #[error("class {0} lies in the unnamed package, which no other package can name")]
    UnnamedPackage(String),
    /// A name that Java sources cannot write, as other languages and obfuscators make them.
    #[error("{0} is no name in Java")]
    NotAJavaName(String),
    /// A member that a test in its package cannot access (JLS 6.6.1, 6.6.2).
    #[error("{0} is not accessible from the test's package")]
    InaccessibleMember(MemberName),
    /// An object of an interface, or of an abstract class below which the test is to have no class.
    #[error("class {0} is abstract and has no objects of its own")]
    AbstractConstructed(String),
    /// An object of an enum.
    #[error("class {0} is an enum: its constants are all its objects")]
    EnumConstructed(String),
    /// A class that a compiler added.
    #[error("class {0} was made by a compiler and is not visible to sources")]
    SyntheticClass(String),
    /// A member that a compiler added.
    #[error("{0} was made by a compiler and is not visible to sources")]
    SyntheticMember(MemberName),
    /// A class initialiser.
    #[error("{0} is run by the JVM alone")]
    InitialiserCalled(MemberName),
    /// An assignment to a final field.
    #[error("{0} is final")]
    FinalWritten(MemberName),
    /// An element of something that is no array, or an array of a type that is none.
    #[error("{} is no array", .0.view())]
    NotAnArray(Type),
    /// An index that the array cannot have. The exception would be one of the test, never a crash
    /// of the program.
    #[error("the array of variable {} has {length} elements, and none at {index}", .variable.0)]
    IndexOutOfBounds {
        /// The array.
        variable: Var,
        /// The index.
        index: u16,
        /// What the array was made with.
        length: u16,
    },
    /// An object wanted and the literal `null` given. Again the exception would be one of the test.
    #[error("variable {} is null, and an object is needed", .0.0)]
    NullDereferenced(Var),
    /// A cast that no value but `null` survives, which compilers refuse (JLS 5.5).
    #[error("nothing can be a {} and a {}", .from.view(), .to.view())]
    ImpossibleCast {
        /// Static type of the value.
        from: Type,
        /// The type wanted.
        to: Type,
    },
    /// A type that no mock library can make an object of.
    #[error("class {0} cannot be mocked")]
    NotMockable(String),
    /// An answer for a variable that no mock was assigned to.
    #[error("variable {} is no mock", .0.0)]
    NotAMock(Var),
    /// An answer to a method that the mock does not answer.
    #[error("a mock does not answer {0}")]
    NotMocked(MemberName),
    /// An answer that an anonymous class cannot have: it comes too late, is not the only one of its
    /// method, or is neither a value nor an exception that the method may throw.
    #[error("an anonymous class cannot answer {0} so")]
    NotWritten(MemberName),
    /// A value for a method that has no result.
    #[error("{0} has no result that a mock could give")]
    VoidAnswered(MemberName),
    /// No value for a method that has a result.
    #[error("a mock must give a result for {0}")]
    NothingAnswered(MemberName),
    /// An argument that the mock cannot tell from others, or keep: the method runs its own code, or
    /// has no such parameter.
    #[error("a mock does not look at that argument of {0}")]
    NotLookedAt(MemberName),
    /// A method that the mock cannot call on what it is given, or that yields what the mock cannot
    /// give back.
    #[error("a mock cannot answer by calling {0}")]
    NotCalledBack(MemberName),
    /// A value for a field that no container fills.
    #[error("{0} is not marked for injection")]
    NotInjected(MemberName),
    /// A string longer than a constant of a class file can be (JVMS 4.4.7).
    #[error("the text takes {0} bytes, and a constant at most {max}", max = u16::MAX)]
    TextTooLong(usize),
    /// More bytes than the code of a test can write down.
    #[error("the array has {0} bytes, and a literal at most {max}", max = Bytes::MOST)]
    TooManyBytes(usize),
}
