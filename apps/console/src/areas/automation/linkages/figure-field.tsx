import { useId } from 'react'

/** A figure with its unit, as small as it is. */
export function FigureField({
  label,
  value,
  unit,
  placeholder,
  error,
  onChange,
}: {
  label: string
  value: string
  unit: string
  placeholder?: string
  error: string | null
  onChange: (value: string) => void
}) {
  const id = useId()
  return (
    <div className={error ? 'form-field figure wrong' : 'form-field figure'}>
      <label htmlFor={id}>{label}</label>
      <span className="field">
        <input
          id={id}
          value={value}
          inputMode="decimal"
          maxLength={14}
          placeholder={placeholder}
          autoComplete="off"
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-note` : undefined}
          onChange={(event) => onChange(event.target.value)}
        />
        {unit !== '' && <span className="unit">{unit}</span>}
      </span>
      {error && (
        <small id={`${id}-note`} role="alert">
          {error}
        </small>
      )}
    </div>
  )
}
