import type { ReactNode } from 'react'

/** One column of a list, on the page and in its export. */
export interface TableColumn<T> {
  /** As the list's order names it, if the server can order by it. */
  readonly key: string
  readonly head: string
  readonly cell: (row: T) => ReactNode
  /** The cell as plain text, for the export; a column without it is not exported. */
  readonly text?: (row: T) => string | number | null
  /** Figures stand at the right. */
  readonly end?: boolean
  /** Not shown until a person chooses it. */
  readonly optional?: boolean
}
