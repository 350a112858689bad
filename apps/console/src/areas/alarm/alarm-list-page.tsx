import { exportEvents } from '@linewarden/contract'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../app/net/api.ts'
import { ExportMenu } from '../../app/notify/export-menu.tsx'
import { crumbOf } from '../../plant/crumb.ts'
import { useTree } from '../../plant/queries.ts'
import { useSelection } from '../../plant/selection.ts'
import { Segments } from '../../ui/fields.tsx'
import { addTexts } from '../../ui/i18n.ts'
import { Page } from '../../ui/page.tsx'
import { useDelayed } from '../../ui/use-delayed.ts'
import { AlarmFilters } from './list/alarm-filters.tsx'
import { AlarmsListed } from './list/alarms-listed.tsx'
import { EventDrawer } from './list/event-drawer.tsx'
import { useFoldedInFlood } from './list/flood-strip.tsx'
import { alarmMarks } from './list/mark-texts.ts'
import { useAlarmAddress } from './list/use-alarm-address.ts'
import { useAlarmList } from './list/use-alarm-list.ts'
import { ViewsMenu } from './list/views-menu.tsx'
import { alarmList } from './list-texts.ts'
import './list/alarm-list.css'
import './list/event-drawer.css'
import './list/views-menu.css'
import './list/alarm-cards.css'

addTexts({ alarmList, alarmMarks })

/** What needs somebody, and what first? Open alarms, the worst first; place, filters, order and the open event stand in the address. */
export function AlarmListPage() {
  const { t } = useTranslation('alarmList')
  const [address, change] = useAlarmAddress()
  useFoldedInFlood(address, change)
  const [selection] = useSelection()
  const text = useDelayed(address.text, 300)
  const asked = useMemo(() => ({ ...address, text }), [address, text])
  const list = useAlarmList(asked, selection)
  const groups = useTree().data?.Groups ?? []
  return (
    <Page
      title={t('title')}
      crumb={crumbOf(selection, groups, []) ?? t('allPlaces')}
      tools={
        <>
          <Segments
            label={t('view')}
            value={address.past ? 'past' : 'open'}
            options={[
              { value: 'open', label: t('open') },
              { value: 'past', label: t('past') },
            ]}
            onChange={(to) => change({ past: to === 'past' })}
          />
          <ViewsMenu />
          <ExportMenu
            ticket={(as) => {
              // All that match, in the order of the list and as it was begun.
              const body = { ...list.filter, Sort: address.sort, ...(list.upTo !== null && { UpTo: list.upTo }), ...as }
              return api.call(exportEvents, { body })
            }}
          />
        </>
      }
    >
      <AlarmFilters address={address} change={change} />
      <AlarmsListed address={address} change={change} selection={selection} list={list} />
      {address.event !== null && (
        <EventDrawer
          key={address.event}
          eventId={address.event}
          listed={list.events.find(({ EventID }) => EventID === address.event)}
          onClose={() => change({ event: null })}
        />
      )}
    </Page>
  )
}
