import { useState } from 'react'

/** What is wrong with each field of these values; null or absent: nothing. */
export type Validate<T> = (values: T) => { readonly [K in keyof T]?: string | null }

interface Field<V> {
  readonly value: V
  readonly onChange: (value: V) => void
  readonly error: string | null
}

export interface Form<T> {
  readonly values: T
  readonly changed: boolean
  set<K extends keyof T>(name: K, value: T[K]): void
  /** What is wrong with a field: once it was touched, or after an attempt to send. */
  errorOf(name: keyof T): string | null
  /** What a text field or a choice needs of its value: `<TextField {...form.field('Name')} />`. */
  field<K extends keyof T>(name: K): Field<T[K]>
  /** Shows everything that is wrong; true when nothing is. */
  check(): boolean
  /** Puts the server's words at their fields; what belongs to none is answered. */
  refuse(problems: readonly { readonly name: string; readonly text: string }[]): readonly string[]
}

/** The values of a form and what is wrong with each, by rules that are the server's too. */
export function useForm<T extends object>(initial: T, validate: Validate<T>): Form<T> {
  const [values, setValues] = useState(initial)
  const [touched, setTouched] = useState<ReadonlySet<keyof T>>(new Set())
  const [refused, setRefused] = useState<Partial<Record<keyof T, string>>>({})
  const validated = validate(values)
  const wrong = (name: keyof T): string | null => refused[name] ?? validated[name] ?? null
  const set = <K extends keyof T>(name: K, value: T[K]): void => {
    setValues((before) => ({ ...before, [name]: value }))
    setTouched((before) => new Set([...before, name]))
    setRefused((before) => ({ ...before, [name]: undefined }))
  }
  const errorOf = (name: keyof T): string | null => (touched.has(name) ? wrong(name) : null)
  return {
    values,
    changed: Object.keys(initial).some((name) => values[name as keyof T] !== initial[name as keyof T]),
    set,
    errorOf,
    field: (name) => ({ value: values[name], onChange: (value) => set(name, value), error: errorOf(name) }),
    check() {
      setTouched(new Set(Object.keys(values) as (keyof T)[]))
      return (Object.keys(values) as (keyof T)[]).every((name) => wrong(name) === null)
    },
    refuse(problems) {
      const known = problems.filter(({ name }) => Object.hasOwn(values, name))
      setRefused(Object.fromEntries(known.map(({ name, text }) => [name, text])) as Partial<Record<keyof T, string>>)
      setTouched(new Set(Object.keys(values) as (keyof T)[]))
      return problems.filter(({ name }) => !Object.hasOwn(values, name)).map(({ text }) => text)
    },
  }
}
