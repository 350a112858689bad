import type { CSSProperties, KeyboardEvent } from 'react'
import { useId, useRef, useState } from 'react'
import type { FieldProps } from './fields.tsx'
import { Field } from './fields.tsx'
import type { Choice } from './pick-list.tsx'
import { PickList, placeBeside } from './pick-list.tsx'
import './pick-field.css'

interface PickProps {
  readonly value: string
  readonly options: readonly Choice[]
  readonly onChange: (value: string) => void
  readonly placeholder?: string | undefined
  readonly disabled?: boolean | undefined
}

/** So many are listed at once; typing narrows them down. */
const maxListed = 100

/** One of many, found by typing part of its name. */
export function PickField({ value, options, onChange, placeholder, disabled, ...field }: FieldProps & PickProps) {
  const id = useId()
  return (
    <Field {...field} id={id}>
      <Pick
        id={id}
        invalid={Boolean(field.error)}
        required={field.required}
        {...{ value, options, onChange, placeholder, disabled }}
      />
    </Field>
  )
}

/** A filter of a list: one of many, or all. */
export function PickFilter({ label, ...pick }: PickProps & { label: string }) {
  return <Pick {...pick} label={label} placeholder={label} />
}

function Pick({
  id,
  label,
  value,
  options,
  onChange,
  placeholder,
  disabled,
  invalid,
  required,
}: PickProps & { id?: string; label?: string; invalid?: boolean; required?: boolean | undefined }) {
  const list = useId()
  const input = useRef<HTMLInputElement>(null)
  /** What was typed; null: the list is closed. */
  const [typed, setTyped] = useState<string | null>(null)
  const [at, setAt] = useState(0)
  const [place, setPlace] = useState<CSSProperties>({})
  const chosen = options.find((option) => option.value === value)
  const wanted = (typed ?? '').trim().toLowerCase()
  const found = options
    .filter(({ label: name, note }) => `${name} ${note ?? ''}`.toLowerCase().includes(wanted))
    .slice(0, maxListed)

  const open = (text: string) => {
    const box = input.current?.closest('.field')?.getBoundingClientRect()
    if (box) setPlace(placeBeside(box))
    setTyped(text)
    const index = text === '' ? options.findIndex((option) => option.value === value) : 0
    setAt(index >= 0 && index < maxListed ? index : 0)
  }
  const pick = (option: Choice | undefined) => {
    if (option) onChange(option.value)
    setTyped(null)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      if (typed === null) return open('')
      const to = at + (event.key === 'ArrowDown' ? 1 : -1)
      const next = (to + found.length) % Math.max(1, found.length)
      setAt(next)
      document.getElementById(`${list}-${next}`)?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Enter' && typed !== null) {
      event.preventDefault()
      pick(found[at])
    } else if (event.key === 'Escape' && typed !== null) {
      // The list alone closes, not the dialog around it.
      event.preventDefault()
      event.stopPropagation()
      setTyped(null)
    }
  }
  return (
    <span className="pick">
      <span className="field">
        <input
          id={id}
          ref={input}
          role="combobox"
          aria-label={label}
          aria-expanded={typed !== null}
          aria-controls={list}
          aria-autocomplete="list"
          aria-activedescendant={typed !== null && found[at] ? `${list}-${at}` : undefined}
          aria-invalid={invalid || undefined}
          autoComplete="off"
          required={required}
          disabled={disabled}
          placeholder={placeholder}
          value={typed ?? chosen?.label ?? value}
          onChange={(event) => {
            if (event.target.value === '') onChange('')
            open(event.target.value)
          }}
          onClick={() => typed === null && open('')}
          onBlur={() => setTyped(null)}
          onKeyDown={onKeyDown}
        />
        {typed === null && chosen?.beside}
        <svg className="ic" viewBox="0 0 16 16" aria-hidden="true">
          <path d="M4 6l4 4 4-4" />
        </svg>
      </span>
      {typed !== null && <PickList id={list} place={place} options={found} at={at} onPick={pick} />}
    </span>
  )
}
