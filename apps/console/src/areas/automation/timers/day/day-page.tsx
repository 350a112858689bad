import { dayOfTimers } from '@linewarden/contract'
import { civilZone, dateText, parseDate } from '@linewarden/rules/automation'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { Unloaded } from '../../../../app/net/unloaded.tsx'
import { useCall } from '../../../../app/net/use-call.ts'
import { placeFilter } from '../../../../plant/place-filter.ts'
import { placeName } from '../../../../plant/place-name.ts'
import { useTree } from '../../../../plant/queries.ts'
import { useSelection } from '../../../../plant/selection.ts'
import { Empty } from '../../../../ui/body-state.tsx'
import { addTexts } from '../../../../ui/i18n.ts'
import { Icon } from '../../../../ui/icon.tsx'
import { MomentInput } from '../../../../ui/moment-field.tsx'
import { PickFilter } from '../../../../ui/pick-field.tsx'
import { runLog } from '../../log/texts.ts'
import { offsetText } from '../../parts/civil-text.ts'
import { automation } from '../../parts/texts.ts'
import { runWhy } from '../../parts/why-texts.ts'
import { timers } from '../texts.ts'
import { TimerDrawer } from '../timer-drawer.tsx'
import { DayBody } from './day-body.tsx'
import { timerDay } from './texts.ts'
import '../timers.css'
import './day.css'

addTexts({ automation, timers, runLog, runWhy, timerDay })

/** A run ends, and the next one comes, by itself. */
const everyMs = 10_000

/** What timers of a project did and will do on a date, on its own clock. Project, place and date stand in the address. */
export function TimerDayPage() {
  const { t } = useTranslation('timerDay')
  const [address, setAddress] = useSearchParams()
  const [selection] = useSelection()
  const tree = useTree()
  const houses = (tree.data?.Groups ?? []).flatMap(({ Houses }) => Houses)
  const selected = selection.kind === 'house' ? selection.id : 'house' in selection ? selection.house : null
  const group =
    selection.kind === 'group' ? tree.data?.Groups.find(({ CityID }) => CityID === selection.id)?.Houses[0] : undefined
  const wanted = selected ?? (Number(address.get('house')) || group?.HouseID)
  const house = houses.find(({ HouseID }) => HouseID === wanted) ?? houses[0]
  const change = (values: Readonly<Record<string, string | null>>) =>
    setAddress((before) => {
      for (const [name, value] of Object.entries(values)) {
        if (value === null) before.delete(name)
        else before.set(name, value)
      }
      return before
    })
  const close = () => change({ day: null, house: null, timer: null })
  return (
    <main className="page">
      {!tree.data && <Unloaded query={tree} />}
      {tree.data && !house && <Empty title={t('noProject')} action={{ label: t('back'), run: close }} />}
      {house && (
        <OfProject
          key={house.HouseID}
          house={house.HouseID}
          name={house.Name}
          picker={
            // What the tree has chosen is chosen.
            selected === null && houses.length > 1 ? (
              <PickFilter
                label={t('project')}
                value={String(house.HouseID)}
                options={houses.map(({ HouseID, Name }) => ({ value: String(HouseID), label: Name }))}
                onChange={(value) => value !== '' && change({ house: value })}
              />
            ) : null
          }
          onDate={(date) => change({ day: date ?? '1' })}
          onTimer={(timerId) => change({ timer: timerId === null ? null : String(timerId) })}
          onClose={close}
        />
      )}
    </main>
  )
}

function OfProject({
  house,
  name,
  picker,
  onDate,
  onTimer,
  onClose,
}: {
  house: number
  name: string
  picker: ReactNode
  /** Null: today, whatever day that comes to be. */
  onDate: (date: string | null) => void
  onTimer: (timerId: number | null) => void
  onClose: () => void
}) {
  const { t } = useTranslation('timerDay')
  const [address] = useSearchParams()
  const [selection] = useSelection()
  const place = placeName(selection, useTree().data?.Groups ?? [])
  const asked = parseDate(address.get('day') ?? '')
  const part = selection.kind === 'gateway' || selection.kind === 'device' || selection.kind === 'line'
  const query = useCall(
    dayOfTimers,
    {
      params: { HouseID: house },
      query: { ...(asked !== null && { Date: dateText(asked) }), ...(part && placeFilter(selection)) },
    },
    { refetchInterval: everyMs },
  )
  const { data } = query
  const open = /^[1-9]\d{0,8}$/.exec(address.get('timer') ?? '')?.[0] ?? null
  const shown = asked ?? parseDate(data?.Today ?? '')
  const step = (days: number) => {
    if (shown === null) return
    const to = dateText(shown + days)
    onDate(to === data?.Today ? null : to)
  }
  return (
    <>
      <div className="head day-head">
        <button type="button" className="btn quiet" aria-label={t('back')} onClick={onClose}>
          <Icon name="left" />
        </button>
        <h1>{t('title')}</h1>
        {picker ?? <bdi className="mute crumb">{part && place !== null ? `${name} · ${t('ofPlace', { place })}` : name}</bdi>}
        {data && (
          <span className="mute crumb">
            {t('zone', { zone: data.TimeZone, offset: offsetText(civilZone(data.TimeZone).offsetMsAt(data.From)) })}
          </span>
        )}
        <span className="grow" />
        <span className="day-steps">
          <button type="button" className="btn" aria-label={t('before')} onClick={() => step(-1)}>
            <Icon name="left" />
          </button>
          <DateField key={data?.Date} date={data?.Date ?? ''} onDate={(date) => onDate(date === data?.Today ? null : date)} />
          <button type="button" className="btn" aria-label={t('after')} onClick={() => step(1)}>
            <Icon name="right" />
          </button>
          {asked !== null && (
            <button type="button" className="btn" onClick={() => onDate(null)}>
              {t('today')}
            </button>
          )}
        </span>
      </div>
      <Unloaded query={query} />
      {data && <DayBody key={data.Date} day={data} onOpen={onTimer} />}
      {open !== null && <TimerDrawer key={open} timerId={Number(open)} onOpen={onTimer} onClose={() => onTimer(null)} />}
    </>
  )
}

/** It is typed or picked; what is no date is put back. */
function DateField({ date, onDate }: { date: string; onDate: (date: string) => void }) {
  const { t } = useTranslation('timerDay')
  const [typed, setTyped] = useState(date)
  return (
    <MomentInput
      kind="day"
      label={t('date')}
      value={typed}
      onChange={setTyped}
      onDone={(value) => {
        const day = parseDate(value)
        if (day === null) setTyped(date)
        else if (value !== date) onDate(dateText(day))
      }}
    />
  )
}
