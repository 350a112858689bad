import type { TimersAbout } from '@linewarden/contract'
import { takeOrphanedTimers } from '@linewarden/contract'
import { civilZone } from '@linewarden/rules/automation'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { change } from '../../../app/net/change.ts'
import { Mark } from '../../../ui/mark.tsx'
import { offsetText, whenOf } from '../parts/civil-text.ts'
import { OrphansNotice } from '../parts/orphans-notice.tsx'
import { TakeOrphansDialog } from '../parts/take-orphans-dialog.tsx'

/** What somebody has to know or do about timers of this place: those that nobody answers for, that are due at another time, and years whose holidays are not entered. */
export function TimerNotices({
  about,
  reason,
  onOpen,
}: {
  about: TimersAbout
  reason: string | null
  onOpen: (timerId: number) => void
}) {
  const { t } = useTranslation('timers')
  // Kept while it is open: of those that are taken over there are none left to name, and what became of them is still to be read.
  const [asked, setAsked] = useState<TimersAbout['OrphansOf'] | null>(null)
  return (
    <>
      {about.Orphan > 0 && (
        <OrphansNotice
          text={t('orphansNotice', { count: about.Orphan })}
          byAdministrator={t('orphansByAdministrator')}
          reason={reason}
          onTake={() => setAsked(about.OrphansOf)}
        />
      )}
      {about.MovedCount > 0 && <Moved moved={about.Moved} count={about.MovedCount} onOpen={onOpen} />}
      {[...Map.groupBy(about.Unmaintained, ({ Year }) => Year)].map(([year, projects]) => (
        <Holidays key={year} year={year} projects={projects} />
      ))}
      {asked && (
        <TakeOrphansDialog
          kind="timer"
          projects={asked}
          title={t('takeAllTitle', { count: asked.reduce((sum, { Count }) => sum + Count, 0) })}
          what={t('takeWhat')}
          take={(body) => change(takeOrphanedTimers, { body })}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  )
}

/** The clock of a country was changed by law, and the server has learned of it: what is due at another instant is named. */
function Moved({ moved, count, onOpen }: { moved: TimersAbout['Moved']; count: number; onOpen: (timerId: number) => void }) {
  const { t } = useTranslation(['timers', 'automation'])
  return (
    <div className="list-notice warning">
      <Mark kind="warning" />
      <span className="moved-timers">
        {t('movedNotice', { count })}
        {moved.map(({ TimerID, Name, TimeZone, From, At }) => (
          <span key={TimerID}>
            <button type="button" className="text-link" onClick={() => onOpen(TimerID)}>
              <bdi>{Name}</bdi>
            </button>{' '}
            {t('movedFrom', { from: instantText(From, TimeZone), at: instantText(At, TimeZone) })}
          </span>
        ))}
        {count > moved.length && <span>{t('movedMore', { count: count - moved.length })}</span>}
      </span>
    </div>
  )
}

/** With its offset: that is what has changed. */
const instantText = (at: number, timeZone: string) => `${whenOf(at, timeZone)} ${offsetText(civilZone(timeZone).offsetMsAt(at))}`

function Holidays({ year, projects }: { year: number; projects: TimersAbout['Unmaintained'] }) {
  const { t } = useTranslation('timers')
  const [, setAddress] = useSearchParams()
  const [first] = projects
  if (!first) return null
  const timers = projects.reduce((sum, { Timers }) => sum + Timers, 0)
  const open = () =>
    setAddress((before) => {
      before.set('calendar', '1')
      before.set('house', String(first.HouseID))
      before.set('year', String(year))
      return before
    })
  return (
    <p className="list-notice warning">
      <Mark kind="warning" />
      <span>
        {first.BeginsInDays > 0 ? t('holidaysAhead', { year, days: first.BeginsInDays }) : t('holidaysNow', { year })}{' '}
        {t('holidaysWhat', { count: timers })}
      </span>
      <button type="button" className="text-link" onClick={open}>
        {t('toCalendar')}
      </button>
    </p>
  )
}
