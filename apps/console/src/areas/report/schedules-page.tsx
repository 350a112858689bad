import type { Project, ReportSchedule } from '@linewarden/contract'
import { listReportSchedules, sendTestMail } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../../app/net/api.ts'
import { change } from '../../app/net/change.ts'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { ReasonedButton } from '../../app/notify/reasoned-button.tsx'
import { useMayEdit, useMayOpen } from '../../app/session/use-may.ts'
import { ByProject } from '../../plant/by-project.tsx'
import { Empty } from '../../ui/body-state.tsx'
import { addTexts } from '../../ui/i18n.ts'
import { Mark } from '../../ui/mark.tsx'
import { Page } from '../../ui/page.tsx'
import { ScheduleCard } from './schedule-card.tsx'
import { RemoveScheduleDialog, ScheduleDialog } from './schedule-dialog.tsx'
import { ScheduleRuns } from './schedule-runs.tsx'
import { schedules } from './schedule-texts.ts'
import '../../ui/list.css'
import '../../ui/query-table.css'
import './schedules.css'

addTexts({ schedules })

/** Reports of a project that go out by themselves, and what became of those that did. */
export function SchedulesPage() {
  const { t } = useTranslation('schedules')
  const words = { title: t('title'), project: t('project'), choose: t('choose'), hint: t('chooseHint') }
  return <ByProject words={words}>{(house) => <Schedules key={house.HouseID} house={house} />}</ByProject>
}

function Schedules({ house }: { house: Project }) {
  const { t } = useTranslation('schedules')
  const may = [useMayEdit(), useMayOpen('/system/project')].every(Boolean)
  if (!may)
    return (
      <Page title={t('title')} crumb={house.Name}>
        <Empty title={t('onlyManagers')} hint={t('onlyManagersHint')} />
      </Page>
    )
  return <OwnSchedules house={house} />
}

function OwnSchedules({ house }: { house: Project }) {
  const { t } = useTranslation('schedules')
  const query = useCall(listReportSchedules, { query: { HouseID: house.HouseID } })
  const [edited, setEdited] = useState<ReportSchedule | 'new' | null>(null)
  const [removing, setRemoving] = useState<ReportSchedule | null>(null)
  const [tested, setTested] = useState<string | null>(null)
  /** Sends a mail to one's own address: what the mail server said stays until the next one. */
  const test = async () => {
    setTested(t('testing'))
    try {
      const { State, Address, Answer } = await change(sendTestMail, { body: { HouseID: house.HouseID } })
      setTested(t(`test.${State}`, { to: Address, answer: Answer }))
    } catch (error) {
      setTested(messageOf(error))
    }
  }
  const { data } = query
  const isSet = data?.about.From != null
  return (
    <Page
      title={t('title')}
      crumb={house.Name}
      tools={
        <>
          <ReasonedButton className="btn" reason={isSet ? null : t('noMail')} onClick={() => void test()}>
            {t('testMail')}
          </ReasonedButton>
          <button type="button" className="btn primary" disabled={!data} onClick={() => setEdited('new')}>
            {t('add')}
          </button>
        </>
      }
    >
      {!data && <Unloaded query={query} />}
      {data && (
        <div className="schedules" aria-busy={query.isPlaceholderData}>
          <p className={isSet ? 'mute' : 'schedule-notice'} role={isSet ? undefined : 'status'}>
            {!isSet && <Mark kind="warning" />}
            {isSet ? t('sentFrom', { from: data.about.From ?? '' }) : t('noMailHint')}
          </p>
          {tested !== null && <p role="status">{tested}</p>}
          <section aria-label={t('list')}>
            {data.items.length === 0 && <Empty title={t('none')} hint={t('noneHint')} />}
            <ul className="schedule-cards">
              {data.items.map((each) => (
                <ScheduleCard
                  key={each.ScheduleID}
                  house={house}
                  schedule={each}
                  isSet={isSet}
                  onEdit={() => setEdited(each)}
                  onRemove={() => setRemoving(each)}
                />
              ))}
            </ul>
          </section>
          <ScheduleRuns house={house} />
        </div>
      )}
      {data && edited !== null && (
        <ScheduleDialog
          house={house}
          schedule={edited === 'new' ? null : edited}
          accounts={data.about.Accounts}
          onClose={() => setEdited(null)}
        />
      )}
      {removing && <RemoveScheduleDialog house={house} schedule={removing} onClose={() => setRemoving(null)} />}
    </Page>
  )
}
