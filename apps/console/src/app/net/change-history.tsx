import type { List } from '@linewarden/contract'
import type { UseQueryResult } from '@tanstack/react-query'
import { keepPreviousData } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { dayTime } from '../../ui/format.ts'
import { Unloaded } from './unloaded.tsx'
import './change-history.css'

const firstShown = 10
const maxShown = 100

/** How many changes of something are asked for, and that they stay while more come. */
export function useChanges() {
  const [size, setSize] = useState(firstShown)
  const more = size < maxShown ? () => setSize(Math.min(maxShown, size + 20)) : null
  return { page: { Page: 1, Size: size }, more, options: { placeholderData: keepPreviousData } } as const
}

interface Change {
  readonly Version: number
  readonly At: number
  readonly By: string
  readonly Reason: string
}

/** Who changed something that has versions, newest first, what of it, and why. */
export function ChangeHistory<C extends Change>({
  query,
  more,
  words,
  className,
  children,
}: {
  query: UseQueryResult<List<C>>
  /** Asks for older ones; null: so many are never shown. */
  more: (() => void) | null
  words: { readonly title: string; readonly none: string; readonly more: string }
  className: string
  /** What a change did. */
  children: (change: C) => ReactNode
}) {
  const { data } = query
  return (
    <section className={`${className} change-history`} aria-label={words.title}>
      <h3>{words.title}</h3>
      <Unloaded query={query} />
      {data?.items.length === 0 && <p className="mute">{words.none}</p>}
      <ol>
        {data?.items.map((each) => (
          <li key={each.Version}>
            <p className="mute">
              <time>{dayTime(each.At)}</time> <bdi>{each.By}</bdi> v{each.Version}
            </p>
            {children(each)}
            {each.Reason !== '' && <p className="mute">{each.Reason}</p>}
          </li>
        ))}
      </ol>
      {data && data.total > data.items.length && more && (
        <button type="button" className="btn small quiet" onClick={more}>
          {words.more}
        </button>
      )}
    </section>
  )
}
