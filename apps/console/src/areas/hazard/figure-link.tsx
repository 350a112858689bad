import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useSelection } from '../../plant/selection.ts'
import type { AnalysisAddress } from './address.ts'
import type { Behind } from './links.ts'
import { listBehind } from './links.ts'

/** A figure that opens what it counts. `n`: how much that is. */
export function FigureLink(props: {
  readonly address: AnalysisAddress
  readonly behind: Behind
  readonly n: number
  readonly className?: string
  readonly title?: string
  readonly children?: ReactNode
}) {
  const { address, behind, n, className, title, children } = props
  const [selection] = useSelection()
  return (
    <Link
      to={listBehind(address, selection, behind)}
      data-figure={n}
      {...(className && { className })}
      {...(title && { title, 'aria-label': title })}
    >
      {children}
    </Link>
  )
}
