import type { ArcRecord } from '@linewarden/contract'
import { arcRecord } from '@linewarden/contract'
import { dayMs } from '@linewarden/equipment'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../app/net/api.ts'
import { keyOf } from '../../app/net/keys.ts'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useShown } from '../../app/net/use-failure.ts'
import type { LineRef } from '../../plant/equipment.ts'
import { Segments } from '../../ui/fields.tsx'
import { clockTime } from '../../ui/format.ts'
import { localised } from '../../ui/i18n.ts'
import { Mark } from '../../ui/mark.tsx'
import { serverNow } from '../../ui/use-now.ts'
import { ArcCourse } from './arc-course.tsx'
import './arc-records.css'

const ranges = { day: dayMs, week: 7 * dayMs, month: 30 * dayMs, all: null } as const
type Range = keyof typeof ranges
const pageSize = 10

/** Every arc fault the detector found: when, how many half-cycles arced in a second, and the minute around it. */
export function ArcRecords({ lineRef }: { lineRef: LineRef }) {
  const { t } = useTranslation('monitor')
  const { device } = lineRef
  const [range, setRange] = useState<Range>('week')
  const [page, setPage] = useState(1)
  const [open, setOpen] = useState<string | null>(null)
  const query = useQuery({
    // The range ends now: it is known by its name.
    queryKey: [...keyOf(arcRecord, { query: { ControllerID: device.ControllerID, Page: page } }), range],
    queryFn: () => {
      const span = ranges[range]
      const From = span === null ? {} : { From: serverNow() - span }
      return api.call(arcRecord, { query: { ControllerID: device.ControllerID, Page: page, Size: pageSize, ...From } })
    },
    placeholderData: keepPreviousData,
    refetchInterval: 10_000,
  })
  const data = useShown(query)
  const choose = (to: Range) => {
    setRange(to)
    setPage(1)
  }
  return (
    <section className="part arc-records" aria-label={t('arcRecords')}>
      <h3>
        {t('arcRecords')}
        {data && <small>{t('arcTotal', { count: data.total })}</small>}
        <span className="grow" />
        <Segments
          label={t('arcRange')}
          value={range}
          options={(['day', 'week', 'month', 'all'] as const).map((value) => ({ value, label: t(`arcRanges.${value}`) }))}
          onChange={choose}
        />
      </h3>
      <Unloaded query={query} />
      {data?.items.length === 0 && <p className="mute">{range === 'all' ? t('arcNever') : t('arcNone')}</p>}
      {data && data.items.length > 0 && (
        <ul>
          {data.items.map((record) => (
            <Entry
              key={record.EventID}
              lineRef={lineRef}
              record={record}
              open={open === record.EventID}
              onToggle={() => setOpen(open === record.EventID ? null : record.EventID)}
            />
          ))}
        </ul>
      )}
      {data && data.total > pageSize && (
        <p className="pages">
          <button type="button" className="btn small" disabled={page === 1} onClick={() => setPage(page - 1)}>
            {t('arcNewer')}
          </button>
          <span className="mute">
            {page} / {Math.ceil(data.total / pageSize)}
          </span>
          <button type="button" className="btn small" disabled={page * pageSize >= data.total} onClick={() => setPage(page + 1)}>
            {t('arcOlder')}
          </button>
        </p>
      )}
    </section>
  )
}

function Entry({
  lineRef,
  record,
  open,
  onToggle,
}: {
  lineRef: LineRef
  record: ArcRecord
  open: boolean
  onToggle: () => void
}) {
  const { t } = useTranslation('monitor')
  return (
    <li>
      <button type="button" aria-expanded={open} onClick={onToggle}>
        <Mark kind="alarm" />
        <span>{localised(record.Label)}</span>
        <span className="grow" />
        <b>{record.HalfCycles ?? '–'}</b>
        <span className="unit">{t('arcHalfCycles')}</span>
        <span className="mute">{record.ReturnedAt === null ? t('arcLatched') : t('returned')}</span>
        <time className="mute">{clockTime(record.RaisedAt)}</time>
      </button>
      {open && <ArcCourse lineRef={lineRef} at={record.RaisedAt} />}
    </li>
  )
}
