import type { ReactNode } from 'react'

/** A region of the page with what it is about. */
export function Panel(props: { title: string; hint?: ReactNode; tools?: ReactNode; className?: string; children: ReactNode }) {
  const { title, hint, tools, className = '', children } = props
  return (
    <section className={`panel ${className}`} aria-label={title}>
      <header>
        <h2>{title}</h2>
        {hint && <small>{hint}</small>}
        <span className="grow" />
        {tools}
      </header>
      <div className="in">{children}</div>
    </section>
  )
}
