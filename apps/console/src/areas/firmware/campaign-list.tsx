import type { CampaignRecord } from '@linewarden/contract'
import { listCampaigns } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { api } from '../../app/net/api.ts'
import { useRows } from '../../app/net/use-rows.ts'
import { dayTime } from '../../ui/format.ts'
import { Icon } from '../../ui/icon.tsx'
import { useListState } from '../../ui/list-state.ts'
import { QueryTable } from '../../ui/query-table.tsx'
import type { TableColumn } from '../../ui/table-column.ts'
import { CampaignDrawer } from './campaign-drawer.tsx'
import { CampaignForm } from './campaign-form.tsx'
import { countsOf } from './counts.ts'

const none = [] as const
const everyMs = 3_000

/** Campaigns, newest first: which run, how far, and how many went wrong. */
export function CampaignList() {
  const { t } = useTranslation(['firmware', 'app'])
  const list = useListState(none)
  const [query, setQuery] = useSearchParams()
  const [starting, setStarting] = useState(false)
  const requestOf = (Page: number, Size: number) => ({ body: { Page, Size } })
  const rows = useRows(listCampaigns, requestOf(list.page, list.size), { everyMs })
  const opened = Number(query.get('campaign') ?? 0)
  const openCampaign = (id: number | null) =>
    setQuery((before) => {
      if (id === null) before.delete('campaign')
      else before.set('campaign', String(id))
      return before
    })
  const start = () => setStarting(true)
  const columns: readonly TableColumn<CampaignRecord>[] = [
    {
      key: 'Version',
      head: t('image'),
      cell: ({ CampaignID, Version, Model }) => (
        <>
          <button type="button" className="text-link" onClick={() => openCampaign(CampaignID)}>
            {t('campaign', { version: Version })}
          </button>{' '}
          <span className="mute">{Model}</span>
        </>
      ),
      text: ({ Version, Model }) => `${Model} ${Version}`,
    },
    {
      key: 'State',
      head: t('app:state'),
      cell: ({ State, PausedBy }) => (
        <span className={PausedBy === 'failures' ? 'upgrade-state bad' : undefined}>
          <span>
            {t(`campaignStates.${State}`)}
            {PausedBy === 'failures' && <small>{t('pausedByFailures')}</small>}
          </span>
        </span>
      ),
      text: ({ State }) => t(`campaignStates.${State}`),
    },
    {
      key: 'Stage',
      head: t('stages'),
      cell: ({ Stage, Ends }) => t('stageOf', { stage: Stage + 1, of: Ends.length }),
      text: ({ Stage }) => Stage + 1,
    },
    {
      key: 'Progress',
      head: t('progress'),
      end: true,
      cell: (row) => t('progressOf', countsOf(row)),
      text: (row) => countsOf(row).done,
    },
    {
      key: 'Failed',
      head: t('states.failed'),
      end: true,
      cell: (row) => countsOf(row).bad,
      text: (row) => countsOf(row).bad,
    },
    { key: 'Reason', head: t('app:reason'), cell: ({ Reason }) => Reason || '–', text: ({ Reason }) => Reason },
    { key: 'StartedBy', head: t('app:by'), cell: ({ StartedBy }) => StartedBy, text: ({ StartedBy }) => StartedBy },
    {
      key: 'StartedAt',
      head: t('started'),
      cell: ({ StartedAt }) => dayTime(StartedAt),
      text: ({ StartedAt }) => dayTime(StartedAt),
    },
    {
      key: 'EndedAt',
      head: t('ended'),
      cell: ({ EndedAt }) => (EndedAt === null ? '–' : dayTime(EndedAt)),
      text: ({ EndedAt }) => (EndedAt === null ? '' : dayTime(EndedAt)),
    },
  ]
  return (
    <>
      <QueryTable
        label={t('campaigns')}
        columns={columns}
        rows={rows}
        rowKey={({ CampaignID }) => String(CampaignID)}
        list={list}
        actions={
          <button type="button" className="btn primary" onClick={start}>
            <Icon name="plus" />
            {t('start')}
          </button>
        }
        empty={{ title: t('noCampaigns'), hint: t('noCampaignsHint'), action: { label: t('start'), run: start } }}
        fetchPage={(page, size) => api.call(listCampaigns, requestOf(page, size))}
      />
      {starting && <CampaignForm imageId={null} onClose={() => setStarting(false)} />}
      {opened > 0 && <CampaignDrawer key={opened} campaignId={opened} onClose={() => openCampaign(null)} />}
    </>
  )
}
