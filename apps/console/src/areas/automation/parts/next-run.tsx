import type { Timer } from '@linewarden/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useByNow, useNow } from '../../../ui/use-now.ts'
import { civilText, offsetNearChange, untilText } from './civil-text.ts'
import '../../../ui/list.css'
import './parts.css'

type NextTime = Timer['Next'][number]

/** When a timer acts next, on the project's clock, and how long it is until then; `trouble`: what will go wrong with it. */
export function NextRun({ next, timeZone, trouble }: { next: NextTime; timeZone: string; trouble?: ReactNode }) {
  const { t } = useTranslation('automation')
  const minute = useByNow((now) => Math.floor(now / 60_000))
  const { date, time } = civilText(next.At, timeZone, minute * 60_000)
  return (
    <span className="two-lines next-run">
      <span>
        {date} <b>{time}</b> {t(`actions.${next.Action}`)}
      </span>
      <small>
        <Until at={next.At} />
        <ClockNote next={next} timeZone={timeZone} />
        {trouble}
      </small>
    </span>
  )
}

/** Where the clock is changed, by which offset the time is meant, and what becomes of a time that it skips or shows twice. */
export function ClockNote({ next, timeZone }: { next: NextTime; timeZone: string }) {
  const { t } = useTranslation('automation')
  const offset = useByNow((now) => offsetNearChange(next.At, timeZone, now) ?? '')
  return (
    <>
      {offset !== '' && ` · ${offset}`}
      {next.Clock !== 'plain' && ` · ${t(next.Clock)}`}
    </>
  )
}

/** How long it is until then, each second anew. */
export const Until = ({ at }: { at: number }) => untilText(at - useNow())
