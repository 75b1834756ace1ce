/// How the operands of an opcode are laid out (JVMS 6.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OperandKind {
    /// None.
    None,
    /// A signed byte.
    Byte,
    /// A signed 16-bit number.
    Short,
    /// Index of a local variable: one byte, two after `wide`.
    Local,
    /// Index of a local variable and a signed constant; twice as wide after `wide`.
    Increment,
    /// Constant pool index in one byte.
    ConstantByte,
    /// Constant pool index in two bytes.
    Constant,
    /// Constant pool index, argument slots, a zero byte.
    InvokeInterface,
    /// Constant pool index, two zero bytes.
    InvokeDynamic,
    /// Type of a primitive array.
    ArrayType,
    /// Constant pool index and number of dimensions.
    MultiArray,
    /// A signed 16-bit distance.
    Branch,
    /// A signed 32-bit distance.
    WideBranch,
    /// Padding, default, lowest and highest key, distances.
    TableSwitch,
    /// Padding, default, pairs of key and distance.
    LookupSwitch,
}

/// Where execution goes on after an instruction that completes normally.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Flow {
    /// At the next instruction.
    Next,
    /// At the target or at the next instruction.
    Conditional,
    /// At the target.
    Goto,
    /// At one of several targets.
    Switch,
    /// At the target, with the address of the next instruction pushed (`jsr`).
    Subroutine,
    /// At an address taken from a local variable (`ret`).
    SubroutineReturn,
    /// In the caller.
    Return,
    /// In a handler or in the caller: `athrow` never completes normally.
    Throw,
}

/// Slots that an opcode takes from and puts on the operand stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    Fixed(u16, u16),
    /// Decided by the operands.
    ByOperands,
}

const ARITHMETIC: &str = "java/lang/ArithmeticException";
const ARRAY_STORE: &str = "java/lang/ArrayStoreException";
const CLASS_CAST: &str = "java/lang/ClassCastException";
const INDEX: &str = "java/lang/ArrayIndexOutOfBoundsException";
const MONITOR: &str = "java/lang/IllegalMonitorStateException";
const NEGATIVE_SIZE: &str = "java/lang/NegativeArraySizeException";
const NULL: &str = "java/lang/NullPointerException";

/// Writes the enum and the table of facts from one list. Each row holds: byte, name, mnemonic,
/// operands, flow, slots popped and pushed (or `by operands`), run-time exceptions.
macro_rules! opcodes {
    ($(
        $byte:literal $name:ident $mnemonic:literal $kind:ident $flow:ident $effect:tt
        [$($exception:ident),*];
    )*) => {
        /// An instruction of the Java virtual machine (JVMS 6.5); `wide` is a property of an
        /// [`Instruction`](crate::Instruction) and no opcode of its own.
        #[repr(u8)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Opcode {
            $(#[doc = concat!("`", $mnemonic, "`.")] $name = $byte,)*
        }

        impl Opcode {
            /// All opcodes in the order of their bytes.
            pub const ALL: &'static [Opcode] = &[$(Opcode::$name,)*];

            /// The opcode of a byte; none for `wide`, the reserved and the undefined ones.
            #[inline]
            pub fn from_byte(byte: u8) -> Option<Self> {
                Some(match byte {
                    $($byte => Opcode::$name,)*
                    _ => return None,
                })
            }

            /// Its name in the specification.
            pub fn mnemonic(self) -> &'static str {
                match self {
                    $(Self::$name => $mnemonic,)*
                }
            }

            /// How its operands are laid out.
            #[inline]
            pub fn operand_kind(self) -> OperandKind {
                match self {
                    $(Self::$name => OperandKind::$kind,)*
                }
            }

            /// Where execution goes on.
            #[inline]
            pub fn flow(self) -> Flow {
                match self {
                    $(Self::$name => Flow::$flow,)*
                }
            }

            #[inline]
            pub(crate) fn effect(self) -> Effect {
                match self {
                    $(Self::$name => effect!($effect),)*
                }
            }

            /// Internal names of the exceptions that the instruction itself may throw at run time:
            /// those JVMS 6.5 lists under "Run-time Exceptions", without virtual machine errors and
            /// without what a called method throws.
            ///
            /// The unstructured-locking `IllegalMonitorStateException` of returns and `athrow` is
            /// included.
            pub fn implicit_exceptions(self) -> &'static [&'static str] {
                match self {
                    $(Self::$name => &[$($exception),*],)*
                }
            }
        }
    };
}

macro_rules! effect {
    (($pops:literal, $pushes:literal)) => {
        Effect::Fixed($pops, $pushes)
    };
    (operands) => {
        Effect::ByOperands
    };
}

opcodes! {
    0x00 Nop "nop" None Next (0, 0) [];
    0x01 AconstNull "aconst_null" None Next (0, 1) [];
    0x02 IconstM1 "iconst_m1" None Next (0, 1) [];
    0x03 Iconst0 "iconst_0" None Next (0, 1) [];
    0x04 Iconst1 "iconst_1" None Next (0, 1) [];
    0x05 Iconst2 "iconst_2" None Next (0, 1) [];
    0x06 Iconst3 "iconst_3" None Next (0, 1) [];
    0x07 Iconst4 "iconst_4" None Next (0, 1) [];
    0x08 Iconst5 "iconst_5" None Next (0, 1) [];
    0x09 Lconst0 "lconst_0" None Next (0, 2) [];
    0x0a Lconst1 "lconst_1" None Next (0, 2) [];
    0x0b Fconst0 "fconst_0" None Next (0, 1) [];
    0x0c Fconst1 "fconst_1" None Next (0, 1) [];
    0x0d Fconst2 "fconst_2" None Next (0, 1) [];
    0x0e Dconst0 "dconst_0" None Next (0, 2) [];
    0x0f Dconst1 "dconst_1" None Next (0, 2) [];
    0x10 Bipush "bipush" Byte Next (0, 1) [];
    0x11 Sipush "sipush" Short Next (0, 1) [];
    0x12 Ldc "ldc" ConstantByte Next (0, 1) [];
    0x13 LdcW "ldc_w" Constant Next (0, 1) [];
    0x14 Ldc2W "ldc2_w" Constant Next (0, 2) [];
    0x15 Iload "iload" Local Next (0, 1) [];
    0x16 Lload "lload" Local Next (0, 2) [];
    0x17 Fload "fload" Local Next (0, 1) [];
    0x18 Dload "dload" Local Next (0, 2) [];
    0x19 Aload "aload" Local Next (0, 1) [];
    0x1a Iload0 "iload_0" None Next (0, 1) [];
    0x1b Iload1 "iload_1" None Next (0, 1) [];
    0x1c Iload2 "iload_2" None Next (0, 1) [];
    0x1d Iload3 "iload_3" None Next (0, 1) [];
    0x1e Lload0 "lload_0" None Next (0, 2) [];
    0x1f Lload1 "lload_1" None Next (0, 2) [];
    0x20 Lload2 "lload_2" None Next (0, 2) [];
    0x21 Lload3 "lload_3" None Next (0, 2) [];
    0x22 Fload0 "fload_0" None Next (0, 1) [];
    0x23 Fload1 "fload_1" None Next (0, 1) [];
    0x24 Fload2 "fload_2" None Next (0, 1) [];
    0x25 Fload3 "fload_3" None Next (0, 1) [];
    0x26 Dload0 "dload_0" None Next (0, 2) [];
    0x27 Dload1 "dload_1" None Next (0, 2) [];
    0x28 Dload2 "dload_2" None Next (0, 2) [];
    0x29 Dload3 "dload_3" None Next (0, 2) [];
    0x2a Aload0 "aload_0" None Next (0, 1) [];
    0x2b Aload1 "aload_1" None Next (0, 1) [];
    0x2c Aload2 "aload_2" None Next (0, 1) [];
    0x2d Aload3 "aload_3" None Next (0, 1) [];
    0x2e Iaload "iaload" None Next (2, 1) [NULL, INDEX];
    0x2f Laload "laload" None Next (2, 2) [NULL, INDEX];
    0x30 Faload "faload" None Next (2, 1) [NULL, INDEX];
    0x31 Daload "daload" None Next (2, 2) [NULL, INDEX];
    0x32 Aaload "aaload" None Next (2, 1) [NULL, INDEX];
    0x33 Baload "baload" None Next (2, 1) [NULL, INDEX];
    0x34 Caload "caload" None Next (2, 1) [NULL, INDEX];
    0x35 Saload "saload" None Next (2, 1) [NULL, INDEX];
    0x36 Istore "istore" Local Next (1, 0) [];
    0x37 Lstore "lstore" Local Next (2, 0) [];
    0x38 Fstore "fstore" Local Next (1, 0) [];
    0x39 Dstore "dstore" Local Next (2, 0) [];
    0x3a Astore "astore" Local Next (1, 0) [];
    0x3b Istore0 "istore_0" None Next (1, 0) [];
    0x3c Istore1 "istore_1" None Next (1, 0) [];
    0x3d Istore2 "istore_2" None Next (1, 0) [];
    0x3e Istore3 "istore_3" None Next (1, 0) [];
    0x3f Lstore0 "lstore_0" None Next (2, 0) [];
    0x40 Lstore1 "lstore_1" None Next (2, 0) [];
    0x41 Lstore2 "lstore_2" None Next (2, 0) [];
    0x42 Lstore3 "lstore_3" None Next (2, 0) [];
    0x43 Fstore0 "fstore_0" None Next (1, 0) [];
    0x44 Fstore1 "fstore_1" None Next (1, 0) [];
    0x45 Fstore2 "fstore_2" None Next (1, 0) [];
    0x46 Fstore3 "fstore_3" None Next (1, 0) [];
    0x47 Dstore0 "dstore_0" None Next (2, 0) [];
    0x48 Dstore1 "dstore_1" None Next (2, 0) [];
    0x49 Dstore2 "dstore_2" None Next (2, 0) [];
    0x4a Dstore3 "dstore_3" None Next (2, 0) [];
    0x4b Astore0 "astore_0" None Next (1, 0) [];
    0x4c Astore1 "astore_1" None Next (1, 0) [];
    0x4d Astore2 "astore_2" None Next (1, 0) [];
    0x4e Astore3 "astore_3" None Next (1, 0) [];
    0x4f Iastore "iastore" None Next (3, 0) [NULL, INDEX];
    0x50 Lastore "lastore" None Next (4, 0) [NULL, INDEX];
    0x51 Fastore "fastore" None Next (3, 0) [NULL, INDEX];
    0x52 Dastore "dastore" None Next (4, 0) [NULL, INDEX];
    0x53 Aastore "aastore" None Next (3, 0) [NULL, INDEX, ARRAY_STORE];
    0x54 Bastore "bastore" None Next (3, 0) [NULL, INDEX];
    0x55 Castore "castore" None Next (3, 0) [NULL, INDEX];
    0x56 Sastore "sastore" None Next (3, 0) [NULL, INDEX];
    0x57 Pop "pop" None Next (1, 0) [];
    0x58 Pop2 "pop2" None Next (2, 0) [];
    0x59 Dup "dup" None Next (1, 2) [];
    0x5a DupX1 "dup_x1" None Next (2, 3) [];
    0x5b DupX2 "dup_x2" None Next (3, 4) [];
    0x5c Dup2 "dup2" None Next (2, 4) [];
    0x5d Dup2X1 "dup2_x1" None Next (3, 5) [];
    0x5e Dup2X2 "dup2_x2" None Next (4, 6) [];
    0x5f Swap "swap" None Next (2, 2) [];
    0x60 Iadd "iadd" None Next (2, 1) [];
    0x61 Ladd "ladd" None Next (4, 2) [];
    0x62 Fadd "fadd" None Next (2, 1) [];
    0x63 Dadd "dadd" None Next (4, 2) [];
    0x64 Isub "isub" None Next (2, 1) [];
    0x65 Lsub "lsub" None Next (4, 2) [];
    0x66 Fsub "fsub" None Next (2, 1) [];
    0x67 Dsub "dsub" None Next (4, 2) [];
    0x68 Imul "imul" None Next (2, 1) [];
    0x69 Lmul "lmul" None Next (4, 2) [];
    0x6a Fmul "fmul" None Next (2, 1) [];
    0x6b Dmul "dmul" None Next (4, 2) [];
    0x6c Idiv "idiv" None Next (2, 1) [ARITHMETIC];
    0x6d Ldiv "ldiv" None Next (4, 2) [ARITHMETIC];
    0x6e Fdiv "fdiv" None Next (2, 1) [];
    0x6f Ddiv "ddiv" None Next (4, 2) [];
    0x70 Irem "irem" None Next (2, 1) [ARITHMETIC];
    0x71 Lrem "lrem" None Next (4, 2) [ARITHMETIC];
    0x72 Frem "frem" None Next (2, 1) [];
    0x73 Drem "drem" None Next (4, 2) [];
    0x74 Ineg "ineg" None Next (1, 1) [];
    0x75 Lneg "lneg" None Next (2, 2) [];
    0x76 Fneg "fneg" None Next (1, 1) [];
    0x77 Dneg "dneg" None Next (2, 2) [];
    0x78 Ishl "ishl" None Next (2, 1) [];
    0x79 Lshl "lshl" None Next (3, 2) [];
    0x7a Ishr "ishr" None Next (2, 1) [];
    0x7b Lshr "lshr" None Next (3, 2) [];
    0x7c Iushr "iushr" None Next (2, 1) [];
    0x7d Lushr "lushr" None Next (3, 2) [];
    0x7e Iand "iand" None Next (2, 1) [];
    0x7f Land "land" None Next (4, 2) [];
    0x80 Ior "ior" None Next (2, 1) [];
    0x81 Lor "lor" None Next (4, 2) [];
    0x82 Ixor "ixor" None Next (2, 1) [];
    0x83 Lxor "lxor" None Next (4, 2) [];
    0x84 Iinc "iinc" Increment Next (0, 0) [];
    0x85 I2l "i2l" None Next (1, 2) [];
    0x86 I2f "i2f" None Next (1, 1) [];
    0x87 I2d "i2d" None Next (1, 2) [];
    0x88 L2i "l2i" None Next (2, 1) [];
    0x89 L2f "l2f" None Next (2, 1) [];
    0x8a L2d "l2d" None Next (2, 2) [];
    0x8b F2i "f2i" None Next (1, 1) [];
    0x8c F2l "f2l" None Next (1, 2) [];
    0x8d F2d "f2d" None Next (1, 2) [];
    0x8e D2i "d2i" None Next (2, 1) [];
    0x8f D2l "d2l" None Next (2, 2) [];
    0x90 D2f "d2f" None Next (2, 1) [];
    0x91 I2b "i2b" None Next (1, 1) [];
    0x92 I2c "i2c" None Next (1, 1) [];
    0x93 I2s "i2s" None Next (1, 1) [];
    0x94 Lcmp "lcmp" None Next (4, 1) [];
    0x95 Fcmpl "fcmpl" None Next (2, 1) [];
    0x96 Fcmpg "fcmpg" None Next (2, 1) [];
    0x97 Dcmpl "dcmpl" None Next (4, 1) [];
    0x98 Dcmpg "dcmpg" None Next (4, 1) [];
    0x99 Ifeq "ifeq" Branch Conditional (1, 0) [];
    0x9a Ifne "ifne" Branch Conditional (1, 0) [];
    0x9b Iflt "iflt" Branch Conditional (1, 0) [];
    0x9c Ifge "ifge" Branch Conditional (1, 0) [];
    0x9d Ifgt "ifgt" Branch Conditional (1, 0) [];
    0x9e Ifle "ifle" Branch Conditional (1, 0) [];
    0x9f IfIcmpeq "if_icmpeq" Branch Conditional (2, 0) [];
    0xa0 IfIcmpne "if_icmpne" Branch Conditional (2, 0) [];
    0xa1 IfIcmplt "if_icmplt" Branch Conditional (2, 0) [];
    0xa2 IfIcmpge "if_icmpge" Branch Conditional (2, 0) [];
    0xa3 IfIcmpgt "if_icmpgt" Branch Conditional (2, 0) [];
    0xa4 IfIcmple "if_icmple" Branch Conditional (2, 0) [];
    0xa5 IfAcmpeq "if_acmpeq" Branch Conditional (2, 0) [];
    0xa6 IfAcmpne "if_acmpne" Branch Conditional (2, 0) [];
    0xa7 Goto "goto" Branch Goto (0, 0) [];
    0xa8 Jsr "jsr" Branch Subroutine (0, 1) [];
    0xa9 Ret "ret" Local SubroutineReturn (0, 0) [];
    0xaa Tableswitch "tableswitch" TableSwitch Switch (1, 0) [];
    0xab Lookupswitch "lookupswitch" LookupSwitch Switch (1, 0) [];
    0xac Ireturn "ireturn" None Return (1, 0) [MONITOR];
    0xad Lreturn "lreturn" None Return (2, 0) [MONITOR];
    0xae Freturn "freturn" None Return (1, 0) [MONITOR];
    0xaf Dreturn "dreturn" None Return (2, 0) [MONITOR];
    0xb0 Areturn "areturn" None Return (1, 0) [MONITOR];
    0xb1 Return "return" None Return (0, 0) [MONITOR];
    0xb2 Getstatic "getstatic" Constant Next operands [];
    0xb3 Putstatic "putstatic" Constant Next operands [];
    0xb4 Getfield "getfield" Constant Next operands [NULL];
    0xb5 Putfield "putfield" Constant Next operands [NULL];
    0xb6 Invokevirtual "invokevirtual" Constant Next operands [NULL];
    0xb7 Invokespecial "invokespecial" Constant Next operands [NULL];
    0xb8 Invokestatic "invokestatic" Constant Next operands [];
    0xb9 Invokeinterface "invokeinterface" InvokeInterface Next operands [NULL];
    0xba Invokedynamic "invokedynamic" InvokeDynamic Next operands [];
    0xbb New "new" Constant Next (0, 1) [];
    0xbc Newarray "newarray" ArrayType Next (1, 1) [NEGATIVE_SIZE];
    0xbd Anewarray "anewarray" Constant Next (1, 1) [NEGATIVE_SIZE];
    0xbe Arraylength "arraylength" None Next (1, 1) [NULL];
    0xbf Athrow "athrow" None Throw (1, 0) [NULL, MONITOR];
    0xc0 Checkcast "checkcast" Constant Next (1, 1) [CLASS_CAST];
    0xc1 Instanceof "instanceof" Constant Next (1, 1) [];
    0xc2 Monitorenter "monitorenter" None Next (1, 0) [NULL];
    0xc3 Monitorexit "monitorexit" None Next (1, 0) [NULL, MONITOR];
    0xc5 Multianewarray "multianewarray" MultiArray Next operands [NEGATIVE_SIZE];
    0xc6 Ifnull "ifnull" Branch Conditional (1, 0) [];
    0xc7 Ifnonnull "ifnonnull" Branch Conditional (1, 0) [];
    0xc8 GotoW "goto_w" WideBranch Goto (0, 0) [];
    0xc9 JsrW "jsr_w" WideBranch Subroutine (0, 1) [];
}

impl Opcode {
    /// Whether it may resolve a constant of the pool, and so throw any `LinkageError`, among them
    /// those of a failing class initialiser.
    pub fn links(self) -> bool {
        use OperandKind as Kind;
        matches!(
            self.operand_kind(),
            Kind::Constant
                | Kind::ConstantByte
                | Kind::InvokeInterface
                | Kind::InvokeDynamic
                | Kind::MultiArray
        )
    }

    /// Whether it has one or more explicit targets, `jsr` included.
    pub fn is_branch(self) -> bool {
        matches!(self.flow(), Flow::Conditional | Flow::Goto | Flow::Switch | Flow::Subroutine)
    }

    /// Whether it leaves the method normally.
    pub fn is_return(self) -> bool {
        self.flow() == Flow::Return
    }

    /// Whether it is `athrow`.
    pub fn is_throw(self) -> bool {
        self == Self::Athrow
    }

    /// Whether it calls a method, `invokedynamic` included.
    pub fn is_invoke(self) -> bool {
        (Self::Invokevirtual..=Self::Invokedynamic).contains(&self)
    }

    /// Whether it reads or writes a field.
    pub fn is_field_access(self) -> bool {
        (Self::Getstatic..=Self::Putfield).contains(&self)
    }

    /// Whether the instruction after it can be reached by falling through.
    pub fn falls_through(self) -> bool {
        matches!(self.flow(), Flow::Next | Flow::Conditional)
    }
}
