import type { Project, ZoneClock } from '@linewarden/contract'
import { deviceData } from '@linewarden/contract'
import { isPeriod, maxDeviceDataDays, maxDeviceDataLines, stepFor } from '@linewarden/rules/report'
import { keepPreviousData } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { useShown } from '../../app/net/use-failure.ts'
import { Empty } from '../../ui/body-state.tsx'
import { serverNow } from '../../ui/use-now.ts'
import type { DataAddress } from './address.ts'
import { DataTable } from './data-table.tsx'
import { KeyPager } from './key-pager.tsx'
import type { Subject } from './subject.ts'
import type { Asked, Change } from './tools.tsx'

/** So often a table whose last slots are not over is asked for again. */
const everyMs = 60_000

interface Props {
  readonly house: Project
  readonly zone: ZoneClock
  readonly subject: Subject
  readonly address: DataAddress
  readonly body: Asked
  readonly change: Change
}

/** The table, or why there is none. */
export function TableView(props: Props) {
  const { body, address, change, subject } = props
  const { t } = useTranslation('deviceData')
  const period = { from: body.From, to: body.To }
  if (!isPeriod(period, address.step)) {
    const larger = stepFor(period, address.step)
    return (
      <Empty
        title={t('tooLong', { step: t(`steps.${address.step}`), days: maxDeviceDataDays[address.step] })}
        hint={t('tooLongHint')}
        {...(larger && {
          action: { label: t('useStep', { step: t(`steps.${larger}`) }), run: () => change({ step: larger }) },
        })}
      />
    )
  }
  if (period.from > serverNow())
    return (
      <Empty
        title={t('future')}
        action={{ label: t('seeToday'), run: () => change({ period: 'today', from: null, to: null }) }}
      />
    )
  return (
    <>
      {subject.cutOf !== null && <p className="data-note">{t('cut', { total: subject.cutOf, most: maxDeviceDataLines })}</p>}
      <Rows {...props} />
    </>
  )
}

function Rows({ house, zone, subject, address, body, change }: Props) {
  const { t } = useTranslation('deviceData')
  const { after, before, size, step } = address
  const place = { ...(after ? { After: after } : before && { Before: before }), Size: size }
  const isOpen = step !== 'raw' && body.To > serverNow()
  const query = useCall(
    deviceData,
    { body: { ...body, ...place } },
    { placeholderData: keepPreviousData, refetchInterval: isOpen ? everyMs : false },
  )
  const data = useShown(query)
  const keptFrom = data?.about.KeptFrom ?? null
  return (
    <div className="data-body">
      <Unloaded query={query} />
      {keptFrom !== null && body.From < keptFrom && (
        <p className="data-note">{t('keptFrom', { day: zone.text(keptFrom).slice(0, 10) })}</p>
      )}
      {data?.items.length === 0 && <Empty title={t('noReadings')} hint={t('noReadingsHint')} />}
      {data && data.items.length > 0 && (
        <DataTable
          rows={data.items}
          lines={subject.lines}
          points={subject.points}
          {...{ step, zone }}
          isWaiting={query.isPlaceholderData}
          standard={house.Standard}
        />
      )}
      {data && (
        <KeyPager {...{ about: data.about, rows: data.items, total: data.total, size, change }} zoneName={house.TimeZone} />
      )}
    </div>
  )
}
