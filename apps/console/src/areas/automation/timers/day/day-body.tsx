import type { TimerDay } from '@linewarden/contract'
import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Empty } from '../../../../ui/body-state.tsx'
import { SearchField, Segments } from '../../../../ui/fields.tsx'
import { Icon } from '../../../../ui/icon.tsx'
import { Mark } from '../../../../ui/mark.tsx'
import { useByNow } from '../../../../ui/use-now.ts'
import { CutNote } from '../../parts/cut-note.tsx'
import type { DayItem } from './day-facts.ts'
import { byHour, countStates, stateOf } from './day-facts.ts'
import { hoursOfDay, lengthInHours } from './day-hours.ts'
import { DayList } from './day-list.tsx'
import { HourBand } from './hour-band.tsx'
import '../../../../ui/list.css'
import '../../../../ui/strip.css'

/** So exact is what is said of the time that is left. */
const stepMs = 10_000

/** The hours of a date at a glance, and below them everything that happens, in the order of time. */
export function DayBody({ day, onOpen }: { day: TimerDay; onOpen: (timerId: number) => void }) {
  const { t } = useTranslation(['timerDay', 'automation', 'app'])
  const [text, setText] = useState('')
  const [isAmissOnly, setAmissOnly] = useState(false)
  const scroll = useRef<HTMLDivElement>(null)
  const now = useByNow((at) => Math.floor(at / stepMs)) * stepMs
  const { From, To, TimeZone, Items, Total, CutAt } = day
  const { hours, changes } = useMemo(() => hoursOfDay(From, To, TimeZone), [From, To, TimeZone])
  const counts = useMemo(() => countStates(Items), [Items])
  // What is over is above; it is opened where now is.
  useLayoutEffect(() => bringUp(scroll.current, '.day-now', 0.4), [])
  const shown = Items.filter((item) => isAsked(item, text) && (!isAmissOnly || needsLook(item)))
  const overdue = Items.filter(({ Overdue }) => Overdue).length
  const className = t(`automation:classes.${day.Class}`)
  return (
    <div className="list-body day-body">
      <section className="strip day-strip" aria-label={t('strip')}>
        <div>
          <span className="state">{dayWord(day)}</span>
          <b>{day.ClassName === null ? className : `${className} · ${day.ClassName}`}</b>
        </div>
        {(['done', 'amiss', 'coming', 'troubled'] as const).map((state) => (
          <div key={state}>
            <span className="state">{t(state === 'amiss' ? 'amissDone' : state)}</span>
            <b>{counts[state] - (state === 'amiss' ? overdue : 0)}</b>
          </div>
        ))}
        {overdue > 0 && (
          <div className="odd">
            <span className="state">
              <Mark kind="fault" size={12} />
              {t('overdue')}
            </span>
            <b>{overdue}</b>
          </div>
        )}
      </section>
      {changes.map(({ at, byMs, was, is }) => (
        <p key={at} className="list-notice">
          <Icon name="clock" />
          <span>{t(byMs > 0 ? 'forward' : 'backward', { was, is, hours: lengthInHours(From, To) })}</span>
        </p>
      ))}
      {Items.length === 0 ? (
        <Empty title={t('none')} hint={t('noneHint')} />
      ) : (
        <>
          <HourBand
            hours={byHour(hours, shown)}
            now={now}
            onHour={(from) => bringUp(scroll.current, `[data-hour="${from}"]`, 0)}
          />
          <div className="list-bar">
            <SearchField label={t('search')} value={text} onChange={setText} />
            <Segments
              label={t('strip')}
              value={isAmissOnly ? 'amiss' : 'all'}
              options={[
                { value: 'all', label: `${t('all')} ${Items.length}` },
                { value: 'amiss', label: `${t('amiss')} ${counts.amiss + counts.troubled}` },
              ]}
              onChange={(to) => setAmissOnly(to === 'amiss')}
            />
          </div>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
          <div className="list-scroll" tabIndex={0} ref={scroll}>
            {shown.length === 0 ? (
              <Empty
                title={t('noMatch')}
                action={{
                  label: t('clear'),
                  run: () => {
                    setText('')
                    setAmissOnly(false)
                  },
                }}
              />
            ) : (
              <DayList hours={byHour(hours, shown)} now={now} timeZone={TimeZone} onOpen={onOpen} />
            )}
          </div>
          {Total > Items.length && <p className="list-foot">{t('first', { total: Total, count: Items.length })}</p>}
        </>
      )}
      <CutNote at={CutAt} timeZone={TimeZone} />
    </div>
  )

  function dayWord({ Date: date, Today: today }: TimerDay): string {
    return date === today ? `${t('today')} ${date}` : date
  }
}

/** Scrolls the list alone: what stands above it stays. `share`: how far down it comes to stand. */
function bringUp(list: HTMLElement | null, selector: string, share: number): void {
  const row = list?.querySelector(selector)
  // On a phone the page scrolls as a whole.
  const scroller = list && list.scrollHeight > list.clientHeight ? list : list?.parentElement
  if (!row || !scroller || (share > 0 && scroller !== list)) return
  scroller.scrollTop += row.getBoundingClientRect().top - scroller.getBoundingClientRect().top - share * scroller.clientHeight
}

const isAsked = ({ Name, LineNames }: DayItem, text: string): boolean => {
  const wanted = text.trim().toLowerCase()
  return wanted === '' || [Name, ...LineNames].some((each) => each.toLowerCase().includes(wanted))
}

const needsLook = (item: DayItem): boolean => {
  const state = stateOf(item)
  return state === 'amiss' || state === 'troubled'
}
