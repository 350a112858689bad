import type { ReactNode } from 'react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import './fields.css'

export interface FieldProps {
  readonly label: string
  readonly error?: string | null | undefined
  readonly hint?: string | undefined
  readonly required?: boolean
}

/** A label, its control, and what is wrong under it. */
export function Field({ label, error, hint, required, id, children }: FieldProps & { id: string; children: ReactNode }) {
  return (
    <div className={error ? 'form-field wrong' : 'form-field'}>
      <label htmlFor={id}>
        {label}
        {required && <i aria-hidden="true">*</i>}
      </label>
      {children}
      {error ? (
        <small id={`${id}-note`} role="alert">
          {error}
        </small>
      ) : (
        hint !== undefined && <small id={`${id}-note`}>{hint}</small>
      )}
    </div>
  )
}

export function TextField({
  value,
  onChange,
  type = 'text',
  maxLength,
  placeholder,
  autoFocus,
  autoComplete = 'off',
  inputMode,
  readOnly,
  unit,
  usual,
  ...field
}: FieldProps & {
  value: string
  onChange: (value: string) => void
  /** Answers that are usual: a press writes one of them. */
  usual?: readonly string[]
  type?: 'text' | 'password' | 'email' | 'tel' | 'search'
  maxLength?: number
  placeholder?: string
  autoFocus?: boolean
  autoComplete?: string
  inputMode?: 'numeric' | 'decimal'
  readOnly?: boolean
  unit?: string
}) {
  const id = useId()
  return (
    <Field {...field} id={id}>
      {usual && <Usual answers={usual} value={value} onChange={onChange} />}
      <span className="field">
        <input
          id={id}
          type={type}
          value={value}
          maxLength={maxLength}
          placeholder={placeholder}
          autoComplete={autoComplete}
          inputMode={inputMode}
          readOnly={readOnly}
          required={field.required}
          aria-invalid={field.error ? true : undefined}
          aria-describedby={field.error || field.hint ? `${id}-note` : undefined}
          autoFocus={autoFocus}
          data-first={autoFocus || undefined}
          onChange={(event) => onChange(event.target.value)}
        />
        {unit && <span className="unit">{unit}</span>}
      </span>
    </Field>
  )
}

/** Answers that are usual: a press writes one of them. */
export function Usual({
  answers,
  value,
  onChange,
}: {
  answers: readonly string[]
  value: string
  onChange: (value: string) => void
}) {
  return (
    <div className="chips">
      {answers.map((each) => (
        <button type="button" key={each} className="btn small" aria-pressed={value === each} onClick={() => onChange(each)}>
          {each}
        </button>
      ))}
    </div>
  )
}

export function TextArea({
  value,
  onChange,
  maxLength,
  rows = 3,
  ...field
}: FieldProps & { value: string; onChange: (value: string) => void; maxLength?: number; rows?: number }) {
  const id = useId()
  return (
    <Field {...field} id={id}>
      <textarea
        id={id}
        rows={rows}
        value={value}
        maxLength={maxLength}
        required={field.required}
        aria-invalid={field.error ? true : undefined}
        aria-describedby={field.error || field.hint ? `${id}-note` : undefined}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  )
}

export function SelectField({
  value,
  onChange,
  options,
  placeholder,
  disabled,
  ...field
}: FieldProps & {
  value: string
  onChange: (value: string) => void
  options: readonly { readonly value: string; readonly label: string }[]
  /** Shown while nothing is chosen. */
  placeholder?: string | undefined
  disabled?: boolean
}) {
  const id = useId()
  return (
    <Field {...field} id={id}>
      <select
        id={id}
        value={value}
        disabled={disabled}
        required={field.required}
        aria-invalid={field.error ? true : undefined}
        aria-describedby={field.error || field.hint ? `${id}-note` : undefined}
        onChange={(event) => onChange(event.target.value)}
      >
        {placeholder !== undefined && <option value="">{placeholder}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </Field>
  )
}

/** One of a few, all in sight. */
export function Segments<V extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string
  /** Null: nothing is chosen yet. */
  value: V | null
  options: readonly { readonly value: V; readonly label: string }[]
  onChange: (value: V) => void
}) {
  return (
    <div className="segments" role="group" aria-label={label}>
      {options.map((option) => (
        <button type="button" key={option.value} aria-pressed={option.value === value} onClick={() => onChange(option.value)}>
          {option.label}
        </button>
      ))}
    </div>
  )
}

/** A search over a list, in the bar above it. */
export function SearchField({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) {
  return (
    <label className="field search">
      <svg className="ic" viewBox="0 0 16 16" aria-hidden="true">
        <path d="M7 2.500a4.500 4.500 0 1 0 0 9 4.500 4.500 0 0 0 0-9zM10.500 10.500 14 14" />
      </svg>
      <input
        type="search"
        maxLength={64}
        placeholder={label}
        aria-label={label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  )
}

/** A filter of a list: one of a few, or all. */
export function FilterSelect({
  label,
  value,
  options,
  onChange,
}: {
  label: string
  value: string
  options: readonly { readonly value: string; readonly label: string }[]
  onChange: (value: string) => void
}) {
  const { t } = useTranslation('app')
  // What is in force is shown, also while its name is not known: it would look as if all were shown.
  const isKnown = value === '' || options.some((option) => option.value === value)
  return (
    <select aria-label={label} value={value} onChange={(event) => onChange(event.target.value)}>
      <option value="">{label}</option>
      {!isKnown && <option value={value}>{t('chosenUnnamed')}</option>}
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  )
}
