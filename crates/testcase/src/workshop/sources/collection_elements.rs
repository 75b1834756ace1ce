use std::sync::Arc;

use crate::workshop::builder::{Builder, Request};
use crate::workshop::catalogue::{CollectionMembers, Expected, Generic, WantedValue};
use crate::{Arguments, Literal, Text, TypeId, TypeRef, Var};

impl Builder<'_, '_> {
    /// Gives a new collection or map elements of the types that its type arguments or the code around
    /// the crash say.
    pub(crate) fn fill(&mut self, made: Var, request: &Request<'_>, depth: usize) {
        if !self.tuning.source_collection_elements {
            return;
        }
        let (of, known) = (self.draft.value(made).of, self.catalogue.collection_members());
        let (Some(of), Some(known)) = (of, known) else { return };
        let is_map = match () {
            () if self.catalogue.fits(of, known.collection) => false,
            () if self.catalogue.fits(of, known.map) => true,
            () => return,
        };
        let container = if is_map { known.map } else { known.collection };
        // A class such as `Names extends ArrayList<Name>` tells more than the type that is wanted.
        let (of, arguments) = match self.catalogue.fits(request.of, container) {
            true => (request.of, request.type_arguments),
            false => (of, &[][..]),
        };
        let declared = self.catalogue.arguments_as(of, arguments, container);
        let request = &Request { type_arguments: &declared, ..*request };
        if is_map {
            self.put_missed_entries(made, &known, request, depth);
        }
        let mut more = self.tuning.element;
        while self.random.chance(more) && self.has_room() {
            let elements = match is_map {
                true => self.entry(&known, request, depth),
                false => self.element(&known, request, depth),
            };
            let method = if is_map { known.put } else { known.add };
            if elements.and_then(|it| self.push_call(method, Some(made), it)).is_none() {
                return;
            }
            more *= self.tuning.element_again;
        }
    }

    /// A new element of a collection.
    fn element(
        &mut self,
        known: &CollectionMembers,
        request: &Request<'_>,
        depth: usize,
    ) -> Option<Arguments> {
        let element =
            self.part(&known.declared(request, 0), request.expected.map(|it| &it.element), depth)?;
        Some(Arguments::from_slice(&[element]))
    }

    /// A new key of a map, and the value under it.
    fn entry(&mut self, known: &CollectionMembers, request: &Request<'_>, depth: usize) -> Option<Arguments> {
        let (key, value) = (known.declared(request, 0), known.declared(request, 1));
        if let Some((text, wanted)) = self.known_entry(request.expected, key.of) {
            let text = self.push_literal(Literal::Text(text))?;
            let value = self.part(&value, Some(wanted), depth)?;
            return Some(Arguments::from_slice(&[text, value]));
        }
        let key = match self.complained_key(key.of) {
            Some(name) => self.push_literal(Literal::Text(name))?,
            None => self.part(&key, request.expected.map(|it| &it.key), depth)?,
        };
        let value = self.part(&value, request.expected.map(|it| &it.value), depth)?;
        Some(Arguments::from_slice(&[key, value]))
    }

    /// A key that the code around the crash names, with what it expects under it, by chance.
    fn known_entry<'e>(
        &mut self,
        expected: Option<&'e Expected>,
        declared: TypeId,
    ) -> Option<(Text, &'e WantedValue)> {
        let (text, wanted) = self.random.pick(&expected?.entries)?;
        let of = self.catalogue.vocabulary.number_of(TypeRef::STRING);
        let is_taken = self.tuning.source_expected_values && self.random.chance(self.tuning.expected_key);
        (is_taken && self.catalogue.fits(of, declared)).then(|| (text.clone(), wanted))
    }

    /// Entries under the names that a callee missed, by chance.
    fn put_missed_entries(
        &mut self,
        map: Var,
        known: &CollectionMembers,
        request: &Request<'_>,
        depth: usize,
    ) -> Option<()> {
        let (key, value) = (known.declared(request, 0), known.declared(request, 1));
        let text = self.catalogue.vocabulary.number_of(TypeRef::STRING);
        if !self.catalogue.fits(text, key.of) {
            return None;
        }
        let is_text = self.catalogue.fits(text, value.of);
        for name in self.missed_names()? {
            let name = self.push_literal(Literal::Text(name)).filter(|_| self.has_room())?;
            let value = match is_text {
                true => self.plain_setting()?,
                false => self.part(&value, request.expected.map(|it| &it.value), depth)?,
            };
            self.push_call(known.put, Some(map), Arguments::from_slice(&[name, value]))?;
        }
        Some(())
    }

    /// A key that a message of the program named, by chance.
    fn complained_key(&mut self, declared: TypeId) -> Option<Text> {
        let names = self.experience.complaints.names();
        if names.is_empty() || !self.random.chance(self.tuning.complained_key) {
            return None;
        }
        let of = self.catalogue.vocabulary.number_of(TypeRef::STRING);
        let name = self.random.pick(names).cloned();
        name.filter(|_| self.catalogue.fits(of, declared))
    }

    /// A part of a collection or map.
    fn part(&mut self, declared: &Generic, wanted: Option<&WantedValue>, depth: usize) -> Option<Var> {
        let request = Request::nullable(declared.of, depth).with_type_arguments(&declared.arguments);
        let wanted = wanted.and_then(|it| self.wanted_value(it, &request));
        wanted.or_else(|| self.value(&request))
    }
}

impl CollectionMembers {
    /// The type of the elements, keys or values of a collection or map that is wanted.
    fn declared(&self, request: &Request<'_>, number: usize) -> Generic {
        let object = || Generic { of: self.object, arguments: Arc::new([]) };
        request.type_arguments.get(number).cloned().unwrap_or_else(object)
    }
}
