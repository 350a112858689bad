import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { csvOf, saveText } from './csv.ts'
import { Icon } from './icon.tsx'
import type { TableColumn } from './table-column.ts'
import { serverNow } from './use-now.ts'

const size = 100

/** Exports every row that passes the filters, not just the page on show; says how far it is and can be stopped. */
export function ExportButton<T>({
  name,
  columns,
  fetchPage,
}: {
  name: string
  columns: readonly TableColumn<T>[]
  fetchPage: (page: number, size: number) => Promise<{ readonly items: readonly T[]; readonly total: number }>
}) {
  const { t } = useTranslation()
  const [done, setDone] = useState<number | null>(null)
  const [failed, setFailed] = useState(false)
  const stopped = useRef(false)
  const run = async () => {
    stopped.current = false
    setFailed(false)
    setDone(0)
    try {
      const rows: T[] = []
      for (let page = 1, total = 1; rows.length < total && !stopped.current; page += 1) {
        const { items, total: all } = await fetchPage(page, size)
        if (items.length === 0) break
        rows.push(...items)
        total = all
        setDone(Math.round((rows.length / Math.max(1, total)) * 100))
      }
      if (stopped.current) return
      const exported = columns.flatMap(({ head, text }) => (text ? [{ head, text }] : []))
      const head = exported.map((each) => each.head)
      saveText(
        `${name}-${new Date(serverNow()).toISOString().slice(0, 10)}.csv`,
        csvOf(
          head,
          rows.map((row) => exported.map(({ text }) => text(row))),
        ),
      )
    } catch {
      setFailed(true)
    } finally {
      setDone(null)
    }
  }
  if (done !== null)
    return (
      <button
        type="button"
        className="btn"
        onClick={() => {
          stopped.current = true
        }}
      >
        {t('exporting', { done })}
      </button>
    )
  return (
    <button type="button" className="btn" title={t('export')} onClick={run}>
      <Icon name="download" />
      <span className="word">{failed ? t('exportFailed') : t('export')}</span>
    </button>
  )
}
