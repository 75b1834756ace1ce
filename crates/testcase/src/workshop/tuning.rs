//! Every probability, weight and limit of making and changing tests.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::settings::Entry;

crate::settings! {
    /// Every probability, weight and limit of making and changing tests, each with a name, a
    /// default and a reason. `docs/tuning.md` lists them.
    ///
    /// Equal seeds make equal tests only under equal tuning, so what differs from the defaults is
    /// recorded with a run ([`Tuning::changed`]).
    #[derive(Clone, Debug, PartialEq)]
    pub struct Tuning {
        "Searches" {
            /// A test of a request is a changed copy of one that did something new, rather than of one that
            /// the algorithm chose.
            novelty: Probability = 0.1;
        }
        "New tests" {
            /// No operator makes a test longer; hand-written tests of hard crashes have at most 25
            /// statements without literals.
            longest_test: Count = 80;
            /// A new test gets no further calls before its target call once it is this long.
            longest_before_target_call: Count = 40;
            /// A value that cannot be made may be makeable with other choices, so a new test is
            /// tried again.
            test_attempts: Count = 5;
            /// Calls before the target call for the first test of a population (EvoCrash, algorithm
            /// 2).
            extra_calls: Probability = 0.15;
            /// Later tests of a population get more calls: so much is added until its end.
            extra_calls_growth: Probability = 0.7;
            /// Each further call before the target call is less likely by this factor.
            extra_calls_again: Probability = 0.8;
            /// New tests are made by EvoCrash's algorithm 2 alone: calls of any kind up to a random
            /// length, those of the crash among them ever more likely. The preset `evocrash` does so.
            tests_published: Switch = false;
            /// The longest test that algorithm 2 makes; its paper leaves the number open.
            longest_published_test: Count = 40;
            /// A new test begins with a change of static state that the code around the crash
            /// reads.
            preparation: Probability = 0.4;
            /// Each further change of static state is less likely by this factor.
            preparation_again: Probability = 0.4;
            /// Static state is changed at least so often once tests found some of it to be null.
            preparation_of_missing: Probability = 0.6;
            /// Static state that tests found to be null is set so many times more often than other
            /// state.
            missing_state_factor: Weight = 16;
            /// A new test begins with objects of the classes on the frames below the target, to be
            /// linked into each other.
            lower_receivers: Probability = 0.5;
            /// If it does, each of these objects is made so often.
            lower_receiver: Probability = 0.85;
            /// An object of a lower frame that no call was given is given to the object of a frame
            /// above.
            link: Probability = 0.8;
            /// A new object that takes an object of a lower frame is given it: it may hold it for the
            /// object of a frame above.
            held_object: Probability = 0.6;
        }
        "The target call" {
            /// An argument is a constant that the frame above passes, where one is known.
            known_argument: Probability = 0.6;
            /// An argument of a method that calls itself is made around the argument of the call
            /// below.
            enclosing_argument: Probability = 0.6;
            /// An argument of the call below is an argument of the call above it, too: methods often hand on
            /// what they are given.
            handed_argument: Probability = 0.7;
            /// The receiver comes from a known origin, where the program hands it out only there.
            receiver_origin: Probability = 0.95;
            /// The receiver is an object that the test has already.
            receiver_reuse: Probability = 0.8;
            /// The same for a method that calls itself: its receivers lie inside each other.
            receiver_reuse_of_recursion: Probability = 0.2;
        }
        "Values that are there" {
            /// An object of a lower frame is used where it fits.
            linked_object: Probability = 0.7;
            /// An object that the test has is used again: calls then share state.
            reuse_object: Probability = 0.5;
            /// The same for numbers and truth values, which share nothing.
            reuse_primitive: Probability = 0.15;
            /// `null` is passed where a reference is wanted.
            null_value: Probability = 0.08;
            /// The same where the crash is a `NullPointerException`.
            null_value_of_null_crash: Probability = 0.2;
        }
        "Expected values" {
            /// A value has a type to which the code around the crash casts it, or for which it asks by
            /// `instanceof`.
            expected_type: Probability = 0.75;
            /// A value is a constant with which the code around the crash compares it.
            expected_constant: Probability = 0.4;
            /// A value has a type to which a value in its place could not be cast in an earlier run.
            type_of_failed_cast: Probability = 0.3;
            /// A key of a map is one that the code around the crash asks for.
            expected_key: Probability = 0.7;
        }
        "New objects" {
            /// Calls that a value may be away from the target call that needs it.
            depth: Count = 5;
            /// The same for values of inserted statements and for values that a copied statement
            /// misses.
            depth_of_insertions: Count = 3;
            /// The same for values that a mutation puts in the place of others.
            depth_of_changes: Count = 4;
            /// The same for objects in the place of nulls and mocks when a found test is
            /// simplified.
            depth_of_replacements: Count = 3;
            /// Another way to an object is tried if one fails for want of its arguments.
            maker_attempts: Count = 3;
            /// Constructors, shared among more the more parameters they have.
            constructor: Weight = 48;
            /// The same for abstract classes, of which the test has a subclass.
            constructor_of_abstract: Weight = 48;
            /// Methods that yield the type; they often need other objects.
            factory: Weight = 16;
            /// Static final fields; there are few of them, and all tests share them.
            constant: Weight = 12;
            /// Texts where a supertype of `String` is wanted.
            text_object: Weight = 24;
            /// Files that the test makes, where a constructor with one parameter has weight 96.
            file_object: Weight = 300;
            /// Weights are divided by the number of parameters plus this: simple calls fail less.
            parameter_offset: Weight = 2;
            /// The wanted class itself, compared with classes below it.
            class_itself: Weight = 6;
            /// The same for types such as `Object`.
            class_itself_if_wide: Weight = 1;
            /// Classes that frames, casts and `instanceof` around the crash name.
            class_of_crash: Weight = 4;
            /// Classes of the JDK that programs use first.
            class_common: Weight = 2;
            /// All other classes below the wanted one.
            class_other: Weight = 1;
            /// Static members of the wanted class itself.
            factory_of_class: Weight = 2;
            /// Members of classes that the code around the crash uses.
            factory_of_mentioned: Weight = 1;
            /// Members of other classes of the package: builders and factories.
            factory_of_neighbour: Weight = 2;
            /// Methods of the project that make an object of texts, numbers or streams.
            factory_of_texts: Weight = 6;
            /// How many of these are looked at for a type.
            producers: Count = 8;
            /// Classes below a type that are looked at for ways to make it.
            implementations: Count = 10;
            /// Classes of a package that are looked at for builders and factories.
            neighbours: Count = 10;
            /// Each fluent method of a new builder is called.
            builder_setter: Probability = 0.6;
            /// So many of them are called at most, roughly, where none is known to influence the code
            /// around the crash: some builders have hundreds.
            builder_setters: Count = 8;
            /// A new object is given an option by a fluent method that influences the code around the
            /// crash.
            fluent_option: Probability = 0.2;
            /// The same where no fluent method is known to.
            fluent_option_of_other: Probability = 0.1;
            /// Each further option is less likely by this factor.
            fluent_option_again: Probability = 0.7;
            /// The result of an inserted fluent call stands for the object from then on: an object that
            /// never changes yields another.
            fluent_result: Probability = 0.7;
            /// A field that a container would fill is filled.
            injected_field: Probability = 0.92;
            /// A container's value is an object that is there: containers share them.
            collaborator_reuse: Probability = 0.9;
            /// Else it is a new object of a class on the trace, where one fits.
            collaborator_of_trace: Probability = 0.8;
            /// Else it is a mock, as in most hand-written tests of components.
            collaborator_mock: Probability = 0.8;
        }
        "Models" {
            /// A new object of a new test is made and used as the program does it elsewhere, where a model
            /// of its class is known; 0.2, 0.5, 0.8 and 1.0 in Derakhshanfar et al. (2020).
            model_new_test: Probability = 0.2;
            /// The same when a test is changed; 0.3 there.
            model_changed_test: Probability = 0.3;
            /// Only the first calls of a use are made: a use that is over often closes its object.
            model_cut: Probability = 0.5;
            /// Classes of which models are looked for: those of the trace first, then types that their code
            /// names.
            model_classes: Count = 64;
            /// Kilobytes of the project's class files that models are learnt from, the nearest to the trace
            /// first: so many are read while workers start.
            model_kilobytes: Count = 3000;
        }
        "Tests of the project" {
            /// A new test is a clone of one that has to do with the target, with a target call (Derakhshanfar
            /// et al. 2020).
            clone_test: Probability = 0.2;
            /// A clone of a test that makes a target call itself ends with it.
            clone_own_target_call: Probability = 0.7;
            /// A clone keeps statements that the target call does not need: they may change what it sees.
            clone_whole: Probability = 0.5;
            /// A new object of a new test is carved from a test of the project, where one has such an object.
            carved_new_test: Probability = 0.2;
            /// The same when a test is changed.
            carved_changed_test: Probability = 0.3;
            /// An object that tests seldom managed to make is made as one of them did, rather than anew.
            rare_object: Probability = 0.4;
            /// Only the first calls on a carved object are made.
            carved_cut: Probability = 0.5;
            /// Statements that a test is carved into; nothing behind them is looked at.
            carved_statements: Count = 200;
            /// Tests of the project that are carved, those that name classes of the trace first.
            test_pool_size: Count = 64;
            /// Kilobytes of class files that they come from.
            test_pool_kilobytes: Count = 1000;
            /// Tests that are made of each given test for each frame, at most.
            given_variants: Count = 8;
            /// Tests that are made of all given tests for a frame, at most: about a population.
            given_most: Count = 60;
        }
        "Collections and arrays" {
            /// A new collection gets an element, and an element of an array a value.
            element: Probability = 0.75;
            /// Each further element is less likely by this factor.
            element_again: Probability = 0.6;
            /// Elements of a new array; more are seldom needed.
            longest_array: Count = 3;
            /// An array of a subclass stands for an array of the wanted class: it refuses some
            /// elements (JLS 10.5).
            narrower_array: Probability = 0.3;
            /// Bytes or characters are those of a text.
            array_of_text: Probability = 0.5;
        }
        "Numbers and texts" {
            /// A new number or character comes from the code around the crash or its message.
            pool_number: Probability = 0.5;
            /// The same for a text.
            pool_text: Probability = 0.65;
            /// A text from the code is one that code below the frames looks for, such as a lexer.
            token_text: Probability = 0.3;
            /// It is one that was in tests that came nearer than those before.
            helpful_text: Probability = 0.2;
            /// A text from the code is a name that the program missed: one in a message with which it ended a
            /// test, or one that it had looked up in vain before.
            complained_text: Probability = 0.15;
            /// The same for a key of a map, since such names are mostly those of settings.
            complained_key: Probability = 0.5;
            /// A new object that takes values under names, such as a map or a builder of settings, gets all
            /// those that a callee missed: each alone would be refused for the next one.
            missed_settings: Probability = 0.4;
            /// One of these names is used.
            missed_setting: Probability = 0.9;
            /// Those that another callee missed follow.
            missed_of_another: Probability = 0.4;
            /// A text under such a name is one of the few that most settings take.
            plain_setting: Probability = 0.7;
            /// A number or text that is not made up was recorded outside of the program: in the log, by an
            /// agent, in the project's tests or in documentation.
            recorded_value: Probability = 0.25;
            /// A character is none that can be printed or is half of one: the ends of lines, tabs,
            /// letters of other languages, halves of pairs.
            unusual_character: Probability = 0.06;
            /// Such a text is changed a little.
            pool_text_changed: OneIn = 4;
            /// A character comes from the numbers that code mentions: code compares characters as
            /// numbers.
            character_of_number: OneIn = 3;
            /// Characters of a text that comes from nowhere.
            new_text_length: Count = 7;
            /// Texts longer than this do not grow any more, unless code mentions a length.
            longest_text: Count = 200;
            /// A text is XML, JSON or a query where the code around the crash reads these.
            structured_text: Probability = 0.4;
            /// Any other text has lines, entries, fields or marks where the code around the crash cuts
            /// texts into such: most code that cuts texts reads plain ones too.
            formed_text: Probability = 0.3;
            /// A class of the JDK that takes texts of one format gets one of these.
            format_text: Probability = 0.7;
            /// A number that comes from nowhere is small: an index, a size.
            integer_small: Weight = 5;
            /// Small numbers begin at -3; there are so many of them.
            small_integers: Count = 14;
            /// It lies at the edge of a type.
            integer_edge: Weight = 1;
            /// It is any `int`.
            integer_any: Weight = 1;
            /// It is of medium size.
            integer_medium: Weight = 1;
            /// Numbers of medium size lie around 0; there are so many of them.
            medium_integers: Count = 4096;
            /// A floating-point number that comes from nowhere is small and whole.
            float_small: Weight = 2;
            /// It is `NaN`, infinite or at the edge of the type.
            float_special: Weight = 1;
            /// It is a whole number of any size.
            float_integer: Weight = 1;
            /// It lies between 0 and 1.
            float_unit: Weight = 2;
            /// It has two digits behind the point.
            float_cents: Weight = 2;
        }
        "Bytes" {
            /// An array of bytes is one literal, rather than the bytes of a text or single elements.
            bytes_literal: Probability = 0.6;
            /// A file has bytes rather than a text.
            file_of_bytes: Probability = 0.2;
            /// The same where the code around the crash reads bytes and no characters.
            file_of_bytes_if_read: Probability = 0.8;
            /// Parts of an array that comes from nowhere: single bytes, numbers, texts.
            new_bytes_parts: Count = 6;
            /// Arrays longer than this do not grow any more, unless code mentions a length.
            longest_bytes: Count = 256;
            /// A part is a single byte.
            bytes_single: Weight = 3;
            /// A part is a number that code mentions or compares with, of 1, 2, 4 or 8 bytes in
            /// either order.
            bytes_number: Weight = 3;
            /// A part is a text that code mentions.
            bytes_text: Weight = 1;
            /// A part is an array that code makes of constants, where it makes one.
            bytes_table: Weight = 2;
            /// A new array begins with such an array: signatures come first.
            bytes_table_first: Probability = 0.5;
            /// A single byte is at an edge, such as 0, 127 and 128, rather than any.
            byte_edge: Probability = 0.5;
            /// A bit of a byte changes.
            bytes_flip: Weight = 2;
            /// A byte becomes another one.
            bytes_change: Weight = 2;
            /// A byte moves by a small number.
            bytes_step: Weight = 2;
            /// A new part goes into the array, at its end half of the time: formats are read from
            /// the start.
            bytes_insert: Weight = 4;
            /// A new part takes the place of old bytes.
            bytes_overwrite: Weight = 3;
            /// A piece goes.
            bytes_delete: Weight = 1;
            /// A piece is there twice.
            bytes_duplicate: Weight = 1;
            /// The end goes.
            bytes_cut_end: Weight = 1;
            /// The array grows to a length that code mentions or compares with.
            bytes_grow: Weight = 1;
        }
        "XML, JSON and queries" {
            /// Levels of a new text.
            structure_depth: Count = 3;
            /// Levels of a part that is put into a text.
            structure_part_depth: Count = 1;
            /// Most parts of an element, a list or an object.
            structure_children: Count = 2;
            /// An element has a further attribute.
            structure_attribute: OneIn = 3;
            /// A name is none of those that the code around the crash mentions.
            structure_new_name: OneIn = 8;
            /// A value is a name rather than a number.
            structure_name_as_value: OneIn = 2;
            /// Numbers in a text begin at 0; there are so many of them.
            structure_numbers: Count = 14;
            /// A value is `true`, `false` or `null`.
            json_word: Weight = 1;
            /// A value is a number.
            json_number: Weight = 1;
            /// A value is a text.
            json_text: Weight = 2;
            /// A value is a list.
            json_list: Weight = 2;
            /// A value is an object.
            json_object: Weight = 2;
            /// Most words and terms of a query.
            query_parts: Count = 5;
            /// A part of a query is a word that the lexer knows, rather than a term.
            query_word: Probability = 0.4;
            /// A term is a name.
            query_name: Weight = 3;
            /// A term is a number.
            query_number: Weight = 1;
            /// A term is a text in quotes.
            query_text: Weight = 1;
            /// A term is a call with arguments.
            query_call: Weight = 2;
            /// A term is an operator between two terms.
            query_operation: Weight = 2;
            /// A term is an operator alone, as in `count(*)`.
            query_operator: Weight = 1;
        }
        "Lines, entries, fields and marks" {
            /// Most lines of a new text: a reader that remembers something needs a line to remember,
            /// one to go on and one to end it, and empty ones between.
            most_lines: Count = 6;
            /// A new line is empty.
            empty_line: OneIn = 3;
            /// A new line that is not begins with a tab or blanks.
            indented_line: OneIn = 3;
            /// Most blanks before a line; four are what a tab is.
            most_blanks: Count = 4;
            /// A new line begins with a mark or word that the reader knows.
            line_mark: Probability = 0.7;
            /// Most fields of a text, where the code compares their number with no constant.
            most_fields: Count = 8;
            /// A text has another number of fields than those that the code compares with.
            other_count: OneIn = 4;
            /// A field is like most others of its text: what a reader takes once it takes again.
            usual_field: Probability = 0.6;
            /// A field or value is a number.
            field_number: Weight = 3;
            /// A field or value is a word that the reader knows.
            field_word: Weight = 2;
            /// A field or value is a sign that the reader knows, such as a star.
            field_sign: Weight = 1;
            /// A field or value is two words or numbers with a sign between them.
            field_joined: Weight = 2;
            /// The sign between them is any that the reader knows, rather than one that it looks for.
            other_joint: OneIn = 4;
            /// Most entries between a beginning and an end.
            most_entries: Count = 3;
            /// Entries are between a beginning and an end, where the reader knows such words.
            enclosed_entries: Probability = 0.6;
            /// Entries are a list in one line, where the reader cuts at other signs as well.
            entry_list: OneIn = 2;
            /// A name between marks goes on with another part behind a dot.
            marked_path: OneIn = 2;
            /// A part of a text becomes a new one.
            part_anew: Weight = 3;
            /// New parts go between others.
            part_insert: Weight = 4;
            /// Most parts that do so at once: an empty line often matters only together with the next.
            inserted_parts: Count = 3;
            /// An empty part goes between others.
            part_empty: Weight = 2;
            /// A part is there twice.
            part_double: Weight = 1;
            /// A part goes.
            part_delete: Weight = 2;
            /// Two parts change places.
            part_swap: Weight = 1;
            /// A part is joined with the next.
            part_join: Weight = 1;
            /// A part is moved in by a tab or blanks.
            part_indent: Weight = 1;
            /// Parts get a beginning and an end of the same name, where the reader knows such words.
            part_enclose: Weight = 2;
        }
        "Files and reflection" {
            /// A text is the path of a file, where the code around the crash opens files.
            path_text: Probability = 0.15;
            /// A new file is a folder.
            folder: Probability = 0.1;
            /// There is no file of the name.
            missing_file: Probability = 0.1;
            /// The text of a file goes on with another line.
            further_line: Probability = 0.3;
            /// A file has a name that the program mentions, where it mentions any.
            mentioned_file_name: Probability = 0.5;
            /// Longer texts are no names of files.
            longest_file_name: Count = 40;
            /// A class is of a kind that the code around the crash asks for: primitive, array, enum.
            class_of_kind: Probability = 0.5;
            /// A class or any object is of a class that belongs to the test, where the code around the
            /// crash reflects on classes.
            nested_class: Probability = 0.4;
            /// It is of a class that the test has already: mappers are given objects and their classes.
            nested_again: Probability = 0.6;
            /// The most fields of a new class of the test; mutations add further ones.
            nested_fields: Count = 3;
            /// A field of such a class has an annotation, if there are any.
            nested_annotated_field: Probability = 0.8;
            /// One such class in so many has an annotation itself.
            nested_annotated_class: OneIn = 4;
            /// An element of an annotation is given though it has a default.
            nested_element: Probability = 0.3;
            /// The most values of an element that is an array.
            nested_array_length: Count = 2;
            /// A text is one that stands in an annotation of a class of the test, or the name of a field; and
            /// the other way round.
            nested_text: Probability = 0.25;
            /// A field has a value from the start, where its type is one of the usual ones.
            nested_initial: Probability = 0.3;
            /// A field has a getter, and likewise a setter.
            nested_accessor: Probability = 0.5;
            /// A field is static.
            nested_static_field: Probability = 0.05;
            /// A `java.lang.reflect.Method` is of such a kind: static, abstract.
            method_of_kind: Probability = 0.5;
            /// A `java.lang.reflect.Method` is one of `String`.
            method_of_string: OneIn = 4;
        }
        "Stale views" {
            /// Where a `ConcurrentModificationException` is looked for, an iterator or a list is a view
            /// of a list that changed since.
            stale_view: Probability = 0.3;
        }
        "Mocks" {
            /// A mock stands for an object of an interface that could be made.
            mock_of_interface: Probability = 0.12;
            /// The same for a class.
            mock_of_class: Probability = 0.04;
            /// A mock stands for a type that only libraries implement: their objects need much and
            /// are seldom those of the crash.
            mock_of_library: Probability = 0.5;
            /// A mock stands for a type whose constructors all fail: other ways mostly yield null.
            mock_of_failing: Probability = 0.6;
            /// A mock stands for a class whose constructors failed so far, as far as they were called: some
            /// need static state that tests lack, and a class may have many.
            mock_of_unproven: Probability = 0.3;
            /// A mock stands for an object of an interface that could be made where code relied on what it
            /// yields and got `null`: real objects may be empty, a mock answers.
            mock_of_relied_on: Probability = 0.5;
            /// A mock stands for a type of which only abstract classes can be constructed.
            mock_of_abstract: OneIn = 2;
            /// A partial mock stands for an object of the trace that hands out what was called
            /// back.
            mock_for_callback: Probability = 0.4;
            /// An anonymous class stands for an object, or for an interface of the JDK, whose
            /// methods the code around the crash calls: usual objects answer such calls well.
            anonymous_of_questioned: Probability = 0.2;
            /// The same for other interfaces of the JDK and any object.
            anonymous_of_other: Probability = 0.01;
            /// Abstract methods that such a class may have: more are too many to read.
            anonymous_methods: Count = 6;
            /// The same where all constructors of the type fail, so that there is no shorter way.
            anonymous_methods_of_failing: Count = 24;
            /// A method of such a class throws an exception that it need not declare.
            throw_undeclared: Probability = 0.05;
            /// A partial mock stands for an object of the trace whose constructors take many arguments
            /// or never succeeded.
            mock_of_demanding: Probability = 0.15;
            /// Arguments of a constructor that are many.
            many_arguments: Count = 5;
            /// A spy stands for a new object if tests ended in a method of its class that is not on the
            /// trace.
            spy: Probability = 0.4;
            /// A spy answers each such method; seldom more than one stands in the way at a time.
            stub_blocked: Probability = 0.8;
            /// A spy stands for a new object of the trace if methods of the trace call further methods of
            /// its class: what these yield decides where such a method goes on.
            spy_of_own_calls: Probability = 0.2;
            /// A partial mock answers each such method; real code gives most results that are needed.
            stub_own_call: Probability = 0.3;
            /// A truth value of such an answer is true: real code may as well have yielded the other.
            own_call_true: Probability = 0.5;
            /// A mock calls back its argument where the trace was called back.
            stub_callback: Probability = 0.8;
            /// A mock answers a call that mocks like it were asked before.
            stub_asked: Probability = 0.6;
            /// A new mock answers such a call with an object if code failed because it got `null`: mostly
            /// nothing behind that call is ever reached without. The rest is left for crashes that need
            /// the `null`.
            stub_relied_on: Probability = 0.95;
            /// A mock that is there gets such an answer when its test is changed.
            answer_relied_on: Probability = 0.5;
            /// Such an answer is chosen as for a field that a container fills, so mostly a mock; else it is
            /// any value of its type.
            relied_on_collaborator: Probability = 0.5;
            /// An answer calls the argument, by a method through which the trace was entered.
            callback_of_trace: Probability = 0.8;
            /// An answer calls the argument by another method.
            callback_of_other: Probability = 0.15;
            /// An answer calls the argument by a method that changes what the code around the crash reads.
            callback_of_change: Probability = 0.2;
            /// Abstract methods of a type that are worth such a call, and methods that change state.
            callbacks_of_type: Count = 4;
            /// An answer throws an exception that the method declares.
            throw: Probability = 0.06;
            /// The same for a method without result, which can answer nothing else.
            throw_of_void: Probability = 0.25;
            /// A truth value that is answered is true; false is the default answer.
            answer_true: Probability = 0.9;
            /// It is false from the second call on: loops that ask for more then end.
            then_false: Probability = 0.3;
            /// An object that is answered is followed by null.
            then_null: Probability = 0.08;
            /// An answer of no particular type is of a class that the code around the crash casts
            /// to.
            answer_of_cast: Probability = 0.8;
            /// An answer is of the type that stands for a type variable, such as what a provider of a field
            /// is declared to yield, where its use tells: code casts it to that type.
            answer_of_bound: Probability = 0.9;
            /// Classes that mocks of a type were asked for that are remembered.
            classes_asked: Count = 12;
        }
        "Calls for their effect" {
            /// An inserted call goes to the receiver of the target call.
            call_on_receiver: Probability = 0.6;
            /// Methods that write fields which the code around the crash reads.
            influential_method: Weight = 48;
            /// Those whose fields the frames themselves read weigh together so many times as much as all
            /// other members of their class: there may be hundreds of options.
            near_influence: Weight = 1;
            /// Methods called `set…`, `add…`, `put…` or `append…`.
            setter: Weight = 8;
            /// Assignments to fields.
            field_write: Weight = 4;
            /// Methods without parameters, which mostly only ask.
            getter: Weight = 2;
            /// All other methods.
            other_method: Weight = 4;
        }
        "Mutation" {
            /// A mutant that is equal to its original is made again.
            mutation_attempts: Count = 4;
            /// Statements are deleted (EvoCrash, section 3.2: a third each).
            delete: Probability = 1.0 / 3.0;
            /// Statements are inserted.
            insert: Probability = 1.0 / 3.0;
            /// Statements are changed; they are if nothing else happens.
            change: Probability = 1.0 / 3.0;
            /// Each further inserted call is less likely by this factor.
            insert_again: Probability = 0.5;
            /// The inserted statement changes static state.
            insert_preparation: Probability = 0.3;
            /// It does so before everything else.
            preparation_first: OneIn = 2;
            /// A mock gets a further answer where something is inserted.
            stub_more: Probability = 0.5;
            /// A changed text becomes `null` so often, as a part of `null-value`.
            null_text: Probability = 0.5;
            /// A changed call gets another argument rather than another way to its value.
            operand_not_maker: OneIn = 2;
            /// Another argument is near the old one, where that is a literal.
            literal_step: Probability = 0.7;
            /// Elements of an array that gets any length.
            array_resized: Count = 7;
            /// Arrays do not grow beyond this, unless code mentions a length.
            longest_resized_array: Count = 64;
            /// Another answer goes before or behind the old one rather than into its place.
            answer_sequence: Probability = 0.2;
            /// The target call becomes another one.
            other_target_call: OneIn = 6;
            /// The target call gets another receiver.
            other_receiver: OneIn = 5;
            /// The target call gets other arguments that callers are known to pass.
            other_known_arguments: OneIn = 4;
        }
        "Lengths and repetitions" {
            /// A length is one that a comparison wanted, rather than one that code mentions.
            compared_length: Probability = 0.5;
            /// A length is twice the old one.
            double_length: Probability = 0.2;
            /// A length is one more than the number that code mentions: buffers of that size overflow.
            length_beyond: Probability = 0.5;
            /// Texts and arrays of bytes never grow beyond this: sources stay readable.
            longest_grown_text: Count = 2000;
            /// The same for other arrays, whose elements need not be written down.
            longest_grown_array: Count = 10000;
            /// A call is repeated rather than a new one inserted.
            repeat_call: Probability = 0.08;
            /// An argument of repeated calls counts up; otherwise all are equal.
            repeat_counting: Probability = 0.7;
            /// Calls of a repetition.
            longest_repetition: Count = 64;
            /// Repetitions may make a test so long, longer than other operators do.
            longest_repeating_test: Count = 160;
        }
        "Steps from a literal" {
            /// A literal becomes the other side of a comparison that it was on one side of.
            compared_operand: Probability = 0.5;
            /// A compared part of a text gets the other side before, behind or within it, rather than making
            /// way for it: readers compare the next part with what they miss there.
            compared_beside: Probability = 0.25;
            /// It makes way wherever it stands, not only in one place.
            replace_everywhere: OneIn = 2;
            /// What a method of the call chain was passed becomes what it is passed when it crashes, wherever
            /// the one comes from: tests of lower frames tell how those above must end.
            crashing_argument: Probability = 0.3;
            /// A number moves by the difference of two that were compared: they may be sums.
            compared_difference: Probability = 0.2;
            /// It moves by just that difference.
            difference_exact: Weight = 2;
            /// It moves by one more.
            difference_above: Weight = 1;
            /// It moves by one less.
            difference_below: Weight = 1;
            /// A literal becomes any other of its type.
            literal_anew: OneIn = 8;
            /// A character moves by a number rather than becoming another one.
            character_step: OneIn = 2;
            /// A number takes a step of any size.
            big_step: OneIn = 3;
            /// Sizes of such steps, in powers of two.
            big_step_bits: Count = 11;
            /// Sizes of other steps, in powers of two.
            small_step_bits: Count = 3;
            /// A character of a text changes.
            text_change_character: Weight = 4;
            /// It becomes any other rather than the one beside it.
            text_new_character: OneIn = 2;
            /// A character of a text goes.
            text_delete_character: Weight = 2;
            /// The end of a text goes.
            text_cut_end: Weight = 2;
            /// The start of a text goes.
            text_cut_start: Weight = 2;
            /// A text that the program mentions goes into a text.
            text_insert_text: Weight = 2;
            /// A text follows itself.
            text_double: Weight = 2;
            /// A character goes into a text.
            text_insert_character: Weight = 2;
            /// A text grows to a length that code mentions or compares with.
            text_grow: Weight = 1;
            /// Brackets or quotes go around a piece of a text, or into it.
            text_wrap: Weight = 1;
            /// A piece of a text goes.
            text_cut_piece: Weight = 1;
            /// A piece of a text is there twice.
            text_repeat_piece: Weight = 1;
            /// A word of a text becomes one that the program mentions, wherever it stands.
            text_rename: Weight = 1;
        }
        "Found tests" {
            /// Ways to an exception that the program keeps which a test tries at its end.
            exception_getters: Count = 6;
            /// Objects that are tried in the place of a null or a mock of a found test.
            replacement_attempts: Count = 4;
            /// Characters of a text that are left out or made plain one by one.
            simplified_characters: Count = 40;
        }
        "Experience" {
            /// Hangs and failed initialisers after which a callee is not called any more; one may
            /// be due to its arguments.
            blacklist_after: Count = 3;
            /// Failures after which a callee that never succeeded is not called any more.
            give_up_after: Count = 25;
            /// Where all makers of a type were given up, one is called nevertheless: it may succeed in one of
            /// hundreds of calls. Tests with such calls mostly end there, so this falls as failures grow.
            retried_maker: Probability = 0.5;
            /// Failures on objects in one state, and behind each method that was called on them: a callee
            /// that failed otherwise may need just that call before it.
            give_up_in_state: Count = 3;
            /// States in which a callee that never succeeded is tried, beyond one for each method of its
            /// class.
            failed_states: Count = 200;
            /// Slow calls of a callee after which its calls are dear; one may be due to a busy machine.
            slow_calls: Count = 2;
            /// Microseconds that a call is expected to take whose callee was not called before: a third
            /// of such calls load classes, which takes some milliseconds.
            first_call_time: Count = 1000;
            /// Microseconds of a test without slow calls, roughly: a test that costs more is made less
            /// often.
            usual_time: Count = 100;
            /// Tests over which the time of slow calls is averaged; fewer than a search runs in a
            /// second.
            usual_time_memory: Count = 256;
            /// However dear a test is, so often it is made nevertheless: it may be the one that is
            /// needed.
            dear_test: Probability = 0.02;
            /// Tests that are made in the place of one that is too dear; if all are, the cheapest runs.
            dear_test_attempts: Count = 3;
            /// Comparisons that are remembered, the latest.
            compared_operands: Count = 64;
            /// Arguments of a parameter with which the crash was reproduced that are remembered, the latest.
            crashing_arguments: Count = 4;
            /// Arguments of near tests that are remembered with one that crashes in their place, the latest.
            transplants: Count = 32;
            /// Texts that are known at most once those that were compared are added.
            learnt_texts: Count = 160;
            /// Texts that code of the project compares or looks up which are remembered, the earliest.
            words: Count = 200;
            /// Words of tests that came nearer that are remembered, the latest.
            helpful_tokens: Count = 32;
            /// Names that the program missed which are remembered, the earliest.
            complaints: Count = 128;
            /// The same for a single callee.
            names_of_callee: Count = 8;
            /// Exceptions that end tests which are looked at for such names, the first ones.
            first_complaints: Count = 2000;
            /// Of the others one in so many: looking at each would cost more than it tells.
            complaints_looked_at: Count = 16;
            /// Failures after which a callee that seldom succeeds counts as hard.
            rare_after: Count = 20;
            /// A hard callee succeeds at most in one of so many calls and one.
            rare_share: Count = 20;
            /// Objects of a type that are remembered, of those that a hard callee made, the latest.
            rare_objects: Count = 4;
            /// Objects that need more statements leave no room for the rest of a test.
            rare_object_statements: Count = 40;
            /// Casts that failed in runs of tests that are remembered.
            failed_casts: Count = 16;
            /// Tests that end in a method which is not on the trace before it is stubbed: some end there
            /// because of their arguments.
            blocked_after: Count = 10;
            /// Such methods that are remembered.
            blocked_methods: Count = 64;
            /// Methods whose `null` answer made code fail that are remembered.
            relied_on_methods: Count = 64;
            /// Messages about nulls and casts that are looked at, for static state that is missing and
            /// types that are expected; nearly all tests end with one of few.
            null_messages: Count = 256;
        }
        "Values offered by the crash and the program" {
            /// Values of a kind that are taken from code and message; those of the nearest frames
            /// come first.
            pool_size: Count = 80;
            /// Cases of switches over texts that lead on to the crash: where so many do, chance finds one.
            cases: Count = 16;
            /// Words and characters of code that the frames call; those of lexers are many.
            tokens: Count = 200;
            /// Arrays of constant bytes of such code; signatures of formats are few.
            byte_tables: Count = 16;
            /// Longer arrays of constants are no signatures: tables of sums or of translations.
            longest_byte_table: Count = 32;
            /// Longer constants of such code are messages rather than words.
            longest_token: Count = 24;
            /// Whole numbers that are offered as floating-point numbers too.
            pool_floats_of_integers: Count = 20;
            /// Longer texts would make tests unreadable.
            longest_pool_text: Count = 300;
            /// Classes that the code around the crash uses which are looked at for factories.
            mentioned_classes: Count = 40;
            /// Shorter constants say nothing about where a message has its gaps.
            shortest_message_part: Count = 3;
            /// Files on the class path that are named.
            resource_files: Count = 12;
            /// Values of lines around the crash, the nearest first; later ones are seldom those of the
            /// crash.
            log_values: Count = 30;
            /// Values of recorded arguments of failing calls.
            recorded_arguments: Count = 30;
            /// Values of documentation, that of the methods on the trace first.
            documented_values: Count = 40;
            /// Values of the project's tests, those of tests that name classes of the trace first.
            test_values: Count = 120;
            /// Kilobytes of class files of tests that are read, those named like classes of the trace
            /// first: so many are read while workers start.
            test_kilobytes: Count = 1000;
            /// Files of tests whose names and contents are offered.
            test_files: Count = 20;
            /// Longer texts of tests, their files and documentation are documents rather than values.
            longest_recorded_text: Count = 1000;
            /// Calls from a constructor on which parsers of texts are looked for.
            parser_depth: Count = 2;
            /// Methods in which parsers of texts are looked for.
            parser_methods: Count = 60;
            /// Abstract types that are looked behind for the formats of texts.
            types_of_formats: Count = 300;
            /// Classes below such a type: one of many classes says little about the type.
            classes_of_formats: Count = 12;
            /// Calls from a method of the trace on which reflection on classes is looked for.
            reflection_depth: Count = 4;
            /// Methods in which reflection on classes is looked for.
            reflection_methods: Count = 200;
            /// The most annotations of the program that classes of the test may have.
            nested_annotations: Count = 24;
            /// The most types that code mentions and fields of such classes may have.
            nested_types: Count = 16;
            /// Calls from a frame in which reads of static state are looked for.
            read_depth: Count = 4;
            /// Methods in which they are looked for.
            read_methods: Count = 300;
            /// An interface method with more implementations says nothing about what will run.
            read_implementations: Count = 3;
            /// A method that reads so many fields at most is asked for these: those that read more
            /// compare, copy or describe whole objects.
            few_reads: Count = 4;
            /// Classes that the code casts results to which are offered as answers.
            cast_classes: Count = 24;
            /// Types, constants or keys that are expected at one spot; more say little.
            expected_types: Count = 8;
            /// Methods in which casts, comparisons and the flow of values are looked at.
            expectation_methods: Count = 1500;
            /// Spots through which a value is followed back from its use.
            expectation_steps: Count = 8;
        }
        "Preparations offered" {
            /// Changes of static state that are offered, the nearest to the frames.
            preparations: Count = 40;
            /// Classes that are looked at for members that change what is read.
            preparation_classes: Count = 150;
            /// Calls through which a write still counts as that of a method.
            preparation_calls: Count = 3;
            /// Assignments to a static field.
            preparation_field: Weight = 6;
            /// Methods that write such a field and take something.
            preparation_setter: Weight = 8;
            /// Methods that write such a field and take nothing.
            preparation_resetter: Weight = 3;
            /// Methods without result that read such a field and take something: they may add to
            /// it.
            preparation_adder: Weight = 4;
            /// Other methods that do.
            preparation_reader: Weight = 1;
            /// System properties that the code reads.
            preparation_property: Weight = 6;
            /// Fields that are read first count as nearest.
            nearest_reads: Count = 8;
            /// Fields that are read next count as near.
            near_reads: Count = 24;
            /// Changes of the nearest fields are so many times as likely as those of far ones.
            nearest_factor: Weight = 4;
            /// The same for near fields.
            near_factor: Weight = 2;
            /// Below this number of classes loading all of them anew costs little.
            small_program: Count = 3000;
        }
        "Sources of values" {
            /// Objects of lower frames where they fit.
            source_linked_objects: Switch = true;
            /// Arguments of a call have the types that the uses of its receiver tell: what is added to a
            /// list that a constructor takes as a list of names is a name.
            source_receiver_arguments: Switch = true;
            /// Values that the test has already.
            source_reused_values: Switch = true;
            /// `null` where something else could be had.
            source_nulls: Switch = true;
            /// Numbers and texts that the code around the crash and its message mention.
            source_pool_values: Switch = true;
            /// Values of lines around the crash that the same thread logged.
            source_log_lines: Switch = true;
            /// Arguments of failing calls that an agent recorded.
            source_recorded_arguments: Switch = true;
            /// Literals and files of the project's tests.
            source_test_values: Switch = true;
            /// Examples in the documentation of classes on the trace.
            source_documentation: Switch = true;
            /// XML, JSON and queries.
            source_structured_texts: Switch = true;
            /// Texts of lines, entries, fields and marks.
            source_formed_texts: Switch = true;
            /// Texts in the formats that classes of the JDK take.
            source_formats: Switch = true;
            /// Short texts that code of the project compares or looks up while tests run, wherever it lies.
            source_words: Switch = true;
            /// The other sides of comparisons that tests made.
            source_compared_operands: Switch = true;
            /// Arguments with which methods of the call chain crashed, in the place of those of near tests.
            source_crashing_arguments: Switch = true;
            /// Narrower types, constants and keys that the code around the crash expects.
            source_expected_values: Switch = true;
            /// Files in the folder of the test, and their paths.
            source_files: Switch = true;
            /// Arrays of bytes as one literal.
            source_bytes: Switch = true;
            /// Bytes and characters of texts.
            source_text_arrays: Switch = true;
            /// Arrays with elements.
            source_arrays: Switch = true;
            /// Elements of new collections and maps.
            source_collection_elements: Switch = true;
            /// Classes of kinds that the code around the crash asks for.
            source_classes_of_kind: Switch = true;
            /// Classes that belong to the test, and objects of them.
            source_nested_classes: Switch = true;
            /// `java.lang.reflect.Method`.
            source_reflected_methods: Switch = true;
            /// `java.lang.reflect.Field`.
            source_reflected_fields: Switch = true;
            /// Constructors of the wanted class and of classes below it.
            source_constructors: Switch = true;
            /// Methods that yield a type.
            source_factories: Switch = true;
            /// Objects in containers that methods of the project make of texts.
            source_containers: Switch = true;
            /// Parts of objects that methods of the project make of texts.
            source_parts: Switch = true;
            /// Static final fields.
            source_constants: Switch = true;
            /// Objects that are made and used as the program does it elsewhere.
            source_models: Switch = true;
            /// Clones of the project's own tests, and of given ones, in the place of new tests.
            source_clones: Switch = true;
            /// Objects with the calls that made them in the project's own tests and in given ones.
            source_carved: Switch = true;
            /// Objects that earlier tests seldom managed to make.
            source_rare_objects: Switch = true;
            /// Names that the program missed, such as those of settings, by its messages and look-ups.
            source_complaints: Switch = true;
            /// Fluent methods of new builders.
            source_builder_setters: Switch = true;
            /// Fluent methods of other new objects of the program, whose results stand for these.
            source_fluent_options: Switch = true;
            /// Mocks, wherever one could stand for an object.
            source_mocks: Switch = true;
            /// Views of lists that changed after they were taken.
            source_stale_views: Switch = true;
            /// Anonymous classes in the place of mocks and of plain objects.
            source_anonymous_mocks: Switch = true;
            /// Partial mocks with the state of an object, where a method stands in the way.
            source_spies: Switch = true;
            /// Spies that answer with an object where real code yielded null and tests ended by that.
            source_null_results: Switch = true;
            /// Partial mocks that answer what methods of the trace ask their own class.
            source_own_calls: Switch = true;
            /// Answers of mocks to calls that mocks like them were asked.
            source_mock_answers: Switch = true;
            /// Answers of mocks with objects where code failed because it got `null`.
            source_relied_on_answers: Switch = true;
            /// Answers of the types that stand for type variables where a mock is used.
            source_bound_answers: Switch = true;
            /// Answers with collections of the services that a mock was asked for.
            source_several_services: Switch = true;
            /// Mocks that call back their arguments.
            source_callbacks: Switch = true;
            /// The same by the objects that they are really given, where the declared type says less.
            source_callbacks_of_objects: Switch = true;
            /// Mocks that change the state of an object of the program while it calls them.
            source_changing_callbacks: Switch = true;
            /// Mocks that throw exceptions which their methods declare.
            source_declared_exceptions: Switch = true;
            /// Fields that a container would fill.
            source_injected_fields: Switch = true;
            /// Objects of the classes on lower frames, linked into each other.
            source_lower_receivers: Switch = true;
            /// Objects of lower frames in holders that objects of frames above are given.
            source_holders: Switch = true;
            /// Constants that the frame above the target passes.
            source_known_arguments: Switch = true;
            /// Changes of static state that the code around the crash reads.
            source_preparations: Switch = true;
            /// Formats of texts that only classes behind the types of the code tell.
            source_formats_behind_types: Switch = true;
            /// Methods of any name that change a collection or map which the code around the crash reads.
            source_filling_methods: Switch = true;
        }
        "Mutators" {
            /// Deletes statements.
            mutator_delete: Switch = true;
            /// Inserts calls for their effect.
            mutator_insert_call: Switch = true;
            /// Repeats calls, as loops would.
            mutator_repeat_call: Switch = true;
            /// Inserts changes of static state.
            mutator_insert_preparation: Switch = true;
            /// Lets mocks answer calls that mocks like them were asked.
            mutator_stub_more: Switch = true;
            /// Replaces `null` by an object.
            mutator_fill_null: Switch = true;
            /// Replaces a text by `null`.
            mutator_null_text: Switch = true;
            /// Takes a step from a number or text.
            mutator_change_literal: Switch = true;
            /// Changes the length of an array.
            mutator_resize_array: Switch = true;
            /// Changes the value that is written, injected or answered.
            mutator_change_value: Switch = true;
            /// Changes an argument of a call.
            mutator_change_argument: Switch = true;
            /// Gets a value in another way.
            mutator_change_maker: Switch = true;
            /// Replaces the target call by another one.
            mutator_other_target_call: Switch = true;
            /// Gives the target call another receiver.
            mutator_other_receiver: Switch = true;
            /// Gives the target call other arguments that callers are known to pass.
            mutator_other_known_arguments: Switch = true;
        }
    }
}

/// Only the settings that differ from their defaults, as a map from names to values.
impl Serialize for Tuning {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let changed: Vec<Entry> = self.changed().collect();
        let mut map = serializer.serialize_map(Some(changed.len()))?;
        for entry in changed {
            map.serialize_entry(entry.name, &entry.value)?;
        }
        map.end()
    }
}
