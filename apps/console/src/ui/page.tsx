import type { ReactNode } from 'react'
import './page.css'

/** The frame of a page: what it shows, of what, with the tools that concern all of it. */
export function Page({
  title,
  crumb,
  tools,
  children,
}: {
  title: string
  /** Of what: the selection, a period. Names from right to left are kept apart within it. */
  crumb?: string
  tools?: ReactNode
  children: ReactNode
}) {
  return (
    <main className="page">
      <div className="head">
        <h1>{title}</h1>
        {crumb !== undefined && (
          // Its first name does not say where the others stand.
          <bdi dir="ltr" className="mute crumb" title={crumb}>
            {crumb}
          </bdi>
        )}
        <span className="grow" />
        {tools}
      </div>
      {children}
    </main>
  )
}
