import { exportWarnings, queryWarnings } from '@linewarden/contract'
import { detectors } from '@linewarden/rules/warning'
import { keepPreviousData } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { api } from '../../app/net/api.ts'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { useShown } from '../../app/net/use-failure.ts'
import { ExportMenu } from '../../app/notify/export-menu.tsx'
import { useMayOpen } from '../../app/session/use-may.ts'
import { paths } from '../../paths.ts'
import { FilterChip, ListBar } from '../../plant/list-bar.tsx'
import { usePlaceName } from '../../plant/place-name.ts'
import { useSelection } from '../../plant/selection.ts'
import { Empty } from '../../ui/body-state.tsx'
import { FilterSelect, Segments } from '../../ui/fields.tsx'
import { addTexts, localised } from '../../ui/i18n.ts'
import { Icon } from '../../ui/icon.tsx'
import type { ListState } from '../../ui/list-state.ts'
import { useListState } from '../../ui/list-state.ts'
import { Page } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { useDelayed } from '../../ui/use-delayed.ts'
import { alarmList } from '../alarm/list-texts.ts'
import { counted } from './amount.ts'
import { filterNames, warningFilter } from './filters.ts'
import { LoadAgainPart } from './load-again-part.tsx'
import { warning } from './texts.ts'
import { WarningDrawer } from './warning-drawer.tsx'
import { WarningList } from './warning-list.tsx'
import type { About } from './warnings-strip.tsx'
import { NotEvaluated, notEvaluatedLines, WarningsStrip } from './warnings-strip.tsx'
import '../../ui/query-table.css'
import '../../ui/list.css'
import '../../ui/strip.css'

addTexts({ alarmList, warning })

/** The daily rules look once a day, the live ones at each reading: a minute is soon enough for a list. */
const everyMs = 60_000

/** What will fail, before it does? The findings, worst first; filters, place and the open one stand in the address. */
export function WarningsPage() {
  const { t } = useTranslation(['warning', 'app'])
  const [address, setAddress] = useSearchParams()
  const [selection] = useSelection()
  const list = useListState(filterNames)
  const text = useDelayed(list.filter('q'), 300)
  const filter = warningFilter(list, selection, text)
  const query = useCall(
    queryWarnings,
    { body: { ...filter, Page: list.page, Size: list.size } },
    { placeholderData: keepPreviousData, refetchInterval: everyMs },
  )
  const open = /^[0-9]{1,18}$/.exec(address.get('warning') ?? '')?.[0] ?? null
  const show = (eventId: string | null) =>
    setAddress((before) => {
      if (eventId === null) before.delete('warning')
      else before.set('warning', eventId)
      return before
    })
  const data = useShown(query)
  const about = data?.about
  const isOver = list.filter('over') === 'yes'
  const mayEditRules = useMayOpen(paths.warningRules)
  const place = usePlaceName()
  return (
    <Page
      title={t('title')}
      crumb={[
        place ?? t('allProjects'),
        ...(about && !isOver ? [t('openCount', { count: about.Alarm + about.Warning + about.Notice })] : []),
      ].join(' · ')}
      tools={
        <>
          <Segments
            label={t('which')}
            value={isOver ? 'over' : 'open'}
            options={[
              { value: 'open', label: t('present') },
              { value: 'over', label: t('over') },
            ]}
            onChange={(to) => list.setFilter('over', to === 'over' ? 'yes' : '')}
          />
          {mayEditRules && (
            <Link className="btn" to={paths.warningRules} title={t('rules')}>
              <Icon name="sliders" />
              <span className="word">{t('rules')}</span>
            </Link>
          )}
          <ExportMenu isEmpty={data?.total === 0} ticket={(as) => api.call(exportWarnings, { body: { ...filter, ...as } })} />
        </>
      }
    >
      {about && <WarningsStrip about={about} list={list} />}
      {!isOver && <LoadAgainPart />}
      <div className={open ? 'list-body warnings-body detailed' : 'list-body warnings-body'}>
        <Filters list={list} />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
        <div className="list-scroll warnings-scroll" tabIndex={0} aria-busy={query.isFetching}>
          <Unloaded query={query} />
          {data && data.items.length > 0 && (
            <WarningList
              warnings={data.items}
              isWaiting={query.isPlaceholderData}
              open={open}
              onOpen={(id) => show(id === open ? null : id)}
            />
          )}
          {data?.items.length === 0 &&
            (list.filtered || list.page > 1 ? (
              <Empty title={t('app:noMatch')} action={{ label: t('app:clearFilters'), run: list.clear }} />
            ) : (
              <Nothing about={data.about} />
            ))}
        </div>
        {open && about && about.NotEvaluated.length > 0 && (
          <p className="list-foot">
            {t('notEvaluated', { number: counted(notEvaluatedLines(about)) })} <NotEvaluated about={about} />
          </p>
        )}
        <Pager page={list.page} size={list.size} total={data?.total ?? null} onPage={list.setPage} onSize={list.setSize} />
      </div>
      {open && <WarningDrawer key={open} eventId={open} onClose={() => show(null)} />}
    </Page>
  )
}

function Filters({ list }: { list: ListState }) {
  const { t } = useTranslation('warning')
  return (
    <ListBar list={list} search={t('search')}>
      <FilterSelect
        label={t('anyKind')}
        value={list.filter('key')}
        options={detectors.map(({ key, label }) => ({ value: key, label: localised(label) }))}
        onChange={(value) => list.setFilter('key', value)}
      />
      <span className="apart" aria-hidden="true" />
      <FilterChip list={list} name="ack" value="no" label={t('unacknowledged')} />
      <FilterChip list={list} name="ack" value="yes" label={t('acknowledged')} />
      <FilterChip list={list} name="shelf" value="yes" label={t('shelved')} />
    </ListBar>
  )
}

/** Nothing is wrong as far as can be seen; how far that is stands beside it. */
function Nothing({ about }: { about: About }) {
  const { t } = useTranslation('warning')
  const learns = about.Evaluated === 0 && about.Lines > 0 && about.NotEvaluated.some(({ Reason }) => Reason === 'learning')
  const isNew = about.EvaluatedAt === null
  const coverage = t('coverage', { evaluated: counted(about.Evaluated), others: counted(notEvaluatedLines(about)) })
  return (
    <div className="void">
      <b>{t(learns ? 'learns' : isNew ? 'notYet' : 'nothing')}</b>
      <p>{learns ? t('learnsHint') : isNew ? t('notYetHint') : coverage}</p>
      <NotEvaluated about={about} />
    </div>
  )
}
