import type { ReactNode } from 'react'
import { useId } from 'react'
import { Mark } from '../../../ui/mark.tsx'

/** One step of the form, with its number in the order of the form and what is wrong in it. */
export function FormRow({
  no,
  label,
  problem,
  children,
}: {
  no: number
  label: string
  problem?: string | null
  children: ReactNode
}) {
  const id = useId()
  return (
    <section className="timer-row" role="group" aria-labelledby={id}>
      <h3 id={id}>
        <span aria-hidden="true">{no}</span>
        {label}
      </h3>
      <div className="stack">
        {children}
        {problem && <Wrong text={problem} />}
      </div>
    </section>
  )
}

export function Wrong({ text }: { text: string }) {
  return (
    <p className="wrong-note" role="alert">
      <Mark kind="alarm" />
      {text}
    </p>
  )
}
