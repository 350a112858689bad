import { dayMs } from '@linewarden/equipment'
import type { KeyboardEvent } from 'react'
import { useId, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Calendar } from './calendar.tsx'
import type { FieldProps } from './fields.tsx'
import { Field, Usual } from './fields.tsx'
import { Icon } from './icon.tsx'
import type { MomentKind } from './moment-text.ts'
import { momentIn, momentText, partAt, patterns, stepped } from './moment-text.ts'
import { serverNow } from './use-now.ts'
import './moment-field.css'

const dayOf = (at: number): number => Math.floor(at / dayMs) * dayMs

interface Written {
  readonly kind: MomentKind
  /** What stands in the field: a time as `momentText` writes it, or whatever was typed. */
  readonly value: string
  /** The last day of the calendar. */
  readonly max?: number
}

interface InputProps extends Written {
  readonly id?: string
  readonly label?: string
  readonly invalid?: boolean
  readonly describedBy?: string | undefined
  readonly autoFocus?: boolean
  readonly required?: boolean | undefined
  readonly onChange: (value: string) => void
  /** The field is left, Enter is pressed or a day is picked. */
  readonly onDone?: (value: string) => void
}

/**
 * A day or a time, written in digits the same in both languages, by a clock of 24 hours. It is typed; the up and down keys step the part the
 * caret stands in, and a calendar opens beside it.
 */
export function MomentInput({
  kind,
  value,
  max = Number.POSITIVE_INFINITY,
  onChange,
  onDone,
  label,
  invalid,
  describedBy,
  ...input
}: InputProps) {
  const { t } = useTranslation()
  const [moving, setMoving] = useState<number | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const caret = useRef<readonly [number, number] | null>(null)
  useLayoutEffect(() => {
    if (caret.current) field.current?.setSelectionRange(...caret.current)
    caret.current = null
  })
  const known = momentIn(kind, value)
  const here = serverNow() - new Date(serverNow()).getTimezoneOffset() * 60_000

  const step = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter') return onDone?.(value)
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key]
    if (by === undefined) return
    event.preventDefault()
    const { unit, from, to } = partAt(kind, event.currentTarget.selectionStart ?? 0)
    caret.current = [from, to]
    onChange(momentText(kind, known === null ? here : stepped(kind, known, unit, by)))
  }
  const close = () => {
    setMoving(null)
    opener.current?.focus()
  }
  const pick = (day: number) => {
    const next = momentText(kind, day + (known === null ? 0 : known - dayOf(known)))
    close()
    onChange(next)
    onDone?.(next)
  }
  return (
    <span
      className="field moment"
      role="group"
      onBlur={(event) => {
        if (event.currentTarget.contains(event.relatedTarget)) return
        setMoving(null)
        onDone?.(value)
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || moving === null) return
        // Of a dialog that it stands in, only the calendar closes.
        event.preventDefault()
        event.stopPropagation()
        close()
      }}
    >
      <input
        {...input}
        ref={field}
        type="text"
        inputMode="numeric"
        autoComplete="off"
        spellCheck={false}
        value={value}
        // The letters of the pattern are wider than the digits that take their place.
        size={patterns[kind].length + 2}
        maxLength={24}
        placeholder={t(`moments.${kind}`)}
        aria-label={label}
        aria-invalid={invalid || undefined}
        aria-describedby={describedBy}
        data-first={input.autoFocus || undefined}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={step}
      />
      {kind !== 'clock' && (
        <button
          type="button"
          ref={opener}
          aria-label={label ? t('calendarOf', { name: label }) : t('calendar')}
          aria-haspopup="dialog"
          aria-expanded={moving !== null}
          onClick={() => setMoving(moving === null ? Math.min(dayOf(known ?? here), max) : null)}
        >
          <Icon name="calendar" />
        </button>
      )}
      {moving !== null && (
        <div className="panel" role="dialog" aria-label={t('calendar')} ref={besideField}>
          <Calendar at={moving} today={dayOf(here)} max={max} onMove={setMoving} onPick={pick} />
        </div>
      )}
    </span>
  )
}

/** The same with its label and what is wrong under it, for forms. */
export function MomentField({
  autoFocus,
  ...props
}: FieldProps &
  Written & {
    readonly usual?: readonly string[]
    readonly onChange: (value: string) => void
    readonly autoFocus?: boolean
  }) {
  const { kind, value, max, usual, onChange, ...field } = props
  const id = useId()
  return (
    <Field {...field} id={id}>
      {usual && <Usual answers={usual} value={value} onChange={onChange} />}
      <MomentInput
        id={id}
        kind={kind}
        value={value}
        {...(max !== undefined && { max })}
        {...(autoFocus && { autoFocus })}
        required={field.required}
        invalid={Boolean(field.error)}
        describedBy={field.error || field.hint ? `${id}-note` : undefined}
        onChange={onChange}
        // Whatever signs were typed between the digits, it then stands as it is written here.
        onDone={(text) => {
          const at = momentIn(kind, text)
          if (at !== null && momentText(kind, at) !== text) onChange(momentText(kind, at))
        }}
      />
    </Field>
  )
}

/**
 * A time that counts once the field is left, with Enter, or when a day is picked; what cannot be read gives way to the one that is shown.
 * Null: none is given, where that may be.
 */
export function MomentChoice({
  kind,
  label,
  at,
  max,
  onChoose,
}: Omit<Written, 'value'> & {
  readonly label: string
  readonly at: number | null
  readonly onChoose: (at: number | null) => void
}) {
  const shown = at === null ? '' : momentText(kind, at)
  const [typed, setTyped] = useState<string | null>(null)
  const done = (text: string) => {
    setTyped(null)
    if (typed === null && text === shown) return
    const read = momentIn(kind, text)
    if (text.trim() === '' && at !== null) onChoose(null)
    else if (read !== null && momentText(kind, read) !== shown) onChoose(read)
  }
  return (
    <MomentInput
      kind={kind}
      label={label}
      value={typed ?? shown}
      {...(max !== undefined && { max })}
      onChange={setTyped}
      onDone={done}
    />
  )
}

/** On the screen, under its field or above where there is no room: no dialog or list that scrolls cuts it off. */
function besideField(panel: HTMLDivElement | null): void {
  const field = panel?.parentElement?.getBoundingClientRect()
  if (!panel || !field) return
  const below = field.bottom + 4
  const fits = below + panel.offsetHeight <= window.innerHeight
  panel.style.top = `${fits ? below : Math.max(4, field.top - 4 - panel.offsetHeight)}px`
  panel.style.left = `${Math.max(4, Math.min(field.left, window.innerWidth - 4 - panel.offsetWidth))}px`
}
