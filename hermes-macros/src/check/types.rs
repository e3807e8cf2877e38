//! Types of parameters, as they are spelled.

use crate::errors::Errors;
use crate::model::{Param, ParamKind};
use quote::ToTokens;
use syn::{GenericArgument, PathArguments, Type};

/// Types that are known by their spelling not to come from JSON; the rest is left to traits.
pub(super) fn from_json(param: &Param, errors: &mut Errors) {
    match &param.ty {
        Type::Reference(reference) if reference.mutability.is_some() => errors.at(
            &param.ty,
            "calls run side by side, so nothing is lent as `&mut`; take `&T` and put a `Mutex` inside",
        ),
        Type::Reference(reference) => {
            if let Some(better) = borrowed(&reference.elem) {
                errors.at(
                    &param.ty,
                    format!(
                        "`{}` can't be built from JSON; {better}",
                        spelled(&param.ty)
                    ),
                );
            } else if param.kind.is_sent()
                && let Some(lifetime) = &reference.lifetime
                && lifetime.ident == "static"
            {
                errors.at(
                    lifetime,
                    format!("what the model sends lives as long as the call; leave out `{lifetime}`"),
                );
            } else if let ParamKind::Slice(item) = &param.kind {
                from_json_inside(item, errors);
            }
        }
        Type::ImplTrait(_) | Type::TraitObject(_) => errors.at(
            &param.ty,
            format!(
                "`{}` has no schema; write a concrete type",
                spelled(&param.ty)
            ),
        ),
        Type::Ptr(_) | Type::FnPtr(_) | Type::Never(_) => errors.at(
            &param.ty,
            format!(
                "`{}` can't be built from JSON; take a type with `#[hermes_schema]`",
                spelled(&param.ty)
            ),
        ),
        ty if param.kind.is_sent() => from_json_inside(ty, errors),
        _ => {}
    }
}

/// What can't stand anywhere inside: in `Option<&str>` and `&[&str]` nothing would own the text.
fn from_json_inside(ty: &Type, errors: &mut Errors) {
    each_part(ty, &mut |part| {
        if let Type::Reference(_) = part {
            errors.at(
                part,
                format!(
                    "nothing owns `{}` here; use `String` or `Vec<T>`",
                    spelled(part)
                ),
            );
        }
    });
    no_wide_number(ty, errors);
}

/// JSON numbers hold 64 bits, in what models send and in what is made of it.
pub(super) fn no_wide_number(ty: &Type, errors: &mut Errors) {
    each_part(ty, &mut |part| {
        if let Type::Path(path) = part
            && let Some(last) = path.path.segments.last()
            && (last.ident == "u128" || last.ident == "i128")
        {
            errors.at(
                part,
                "models' numbers end at 64 bits; use `u64`, `i64`, or `String`",
            );
        }
    });
}

/// The type and the types it is spelled with, down to references.
fn each_part(ty: &Type, found: &mut dyn FnMut(&Type)) {
    found(ty);
    match ty {
        Type::Path(path) => {
            for segment in &path.path.segments {
                let PathArguments::AngleBracketed(arguments) = &segment.arguments else {
                    continue;
                };
                for argument in &arguments.args {
                    if let GenericArgument::Type(inner) = argument {
                        each_part(inner, found);
                    }
                }
            }
        }
        Type::Tuple(tuple) => {
            for inner in &tuple.elems {
                each_part(inner, found);
            }
        }
        Type::Array(array) => each_part(&array.elem, found),
        Type::Group(group) => each_part(&group.elem, found),
        Type::Paren(paren) => each_part(&paren.elem, found),
        _ => {}
    }
}

/// What to write instead of a reference that is neither from the model nor a state.
fn borrowed(elem: &Type) -> Option<&'static str> {
    let Type::Path(path) = elem else {
        return None;
    };
    let name = path.path.segments.last()?.ident.to_string();
    match name.as_str() {
        "Path" | "OsStr" | "CStr" => Some("use `String` or `&str`"),
        "String" => Some("use `&str`"),
        "Vec" => Some("use `&[T]`"),
        "Option" => Some("use `Option<T>` without `&`"),
        "i128" | "u128" => Some("take `u64`, `i64` or `String`"),
        "bool" | "char" | "f32" | "f64" | "i8" | "i16" | "i32" | "i64" | "isize" | "u8" | "u16"
        | "u32" | "u64" | "usize" => Some("take it by value, without `&`"),
        _ => None,
    }
}

/// A type's tokens without the spaces that printing puts between them.
pub(super) fn spelled(ty: &Type) -> String {
    let text = ty.to_token_stream().to_string();
    text.replace("& ", "&")
        .replace(" < ", "<")
        .replace(" >", ">")
        .replace(" :: ", "::")
}
