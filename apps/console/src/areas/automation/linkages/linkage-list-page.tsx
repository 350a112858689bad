import type { Group, Linkage, Request } from '@linewarden/contract'
import { getLinkage, queryLinkages, takeOrphanedLinkages } from '@linewarden/contract'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { api } from '../../../app/net/api.ts'
import { change } from '../../../app/net/change.ts'
import { Unloaded } from '../../../app/net/unloaded.tsx'
import { useCall } from '../../../app/net/use-call.ts'
import { useShown } from '../../../app/net/use-failure.ts'
import { ReasonedButton } from '../../../app/notify/reasoned-button.tsx'
import { useMayOpen } from '../../../app/session/use-may.ts'
import { paths } from '../../../paths.ts'
import { FilterChip, ListBar, NoMatch } from '../../../plant/list-bar.tsx'
import { usePlaceName } from '../../../plant/place-name.ts'
import { useTree } from '../../../plant/queries.ts'
import { useSelection } from '../../../plant/selection.ts'
import { Empty } from '../../../ui/body-state.tsx'
import { ExportButton } from '../../../ui/export-button.tsx'
import { addTexts } from '../../../ui/i18n.ts'
import { Icon } from '../../../ui/icon.tsx'
import { useListState } from '../../../ui/list-state.ts'
import { Page } from '../../../ui/page.tsx'
import { Pager } from '../../../ui/pager.tsx'
import { useDelayed } from '../../../ui/use-delayed.ts'
import { usePhone } from '../../../ui/use-media.ts'
import { ListSort } from '../parts/list-sort.tsx'
import { Orphans } from '../parts/orphans.tsx'
import { automation } from '../parts/texts.ts'
import { scenes } from '../scenes/texts.ts'
import { OverriddenLines } from '../timers/override-drawer.tsx'
import { filterNames, linkageFilter, sortable } from './filters.ts'
import { linkageForm } from './form-texts.ts'
import type { LinkageValues } from './form-values.ts'
import { newLinkage, valuesOf } from './form-values.ts'
import { LinkageDrawer } from './linkage-drawer.tsx'
import { LinkageFormDrawer } from './linkage-form.tsx'
import { LinkageList } from './linkage-list.tsx'
import type { About } from './linkage-strip.tsx'
import { LinkageStrip } from './linkage-strip.tsx'
import { linkageColumns } from './list-columns.ts'
import { NewDialog } from './new-dialog.tsx'
import { TemplatesDialog } from './templates-dialog.tsx'
import { linkages } from './texts.ts'
import { useNoLinkages } from './why-no-change.ts'
import '../../../ui/query-table.css'
import '../../../ui/list.css'
import '../../../ui/strip.css'

addTexts({ automation, linkages, linkageForm, scenes })

/** Values move; a linkage fires within a second and the list need not say so at once. */
const everyMs = 5_000

/** What is being made: of which project, and what it begins with. */
interface Draft {
  readonly houseId: number
  readonly values: LinkageValues
}

/** What acts by itself on what is reported, and what of it needs somebody? Filters, place and the open one stand in the address. */
export function LinkageListPage() {
  const { t } = useTranslation(['linkages', 'app'])
  const [selection] = useSelection()
  const list = useListState(filterNames, sortable)
  const groups = useTree().data?.Groups ?? []
  const filter = { ...linkageFilter(list, selection, useDelayed(list.filter('q'), 300)), ...list.order }
  const query = useCall(
    queryLinkages,
    { body: { ...filter, Page: list.page, Size: list.size } },
    { placeholderData: keepPreviousData, refetchInterval: everyMs },
  )
  const data = useShown(query)
  const [asked, setAsked] = useState<'new' | 'templates' | null>(null)
  const [draft, setDraft] = useState<Draft | null>(null)
  const { open, edit, show } = useShownLinkage()
  const place = usePlaceName()
  const isPhone = usePhone()
  const noLinkages = useNoLinkages()(null)
  const reason = noLinkages ?? (isPhone ? t('tooNarrow') : null)
  const houseOf = 'house' in selection ? selection.house : selection.kind === 'house' ? selection.id : null
  const begin = (houseId: number, values: LinkageValues) => {
    setAsked(null)
    setDraft({ houseId, values })
    show(null, 'new')
  }
  const isDrafted = draft !== null && edit === 'new'
  const isDetailed = open > 0 || isDrafted
  return (
    <Page
      title={t('title')}
      crumb={[place ?? t('allProjects'), ...(data ? [t('count', { count: data.total })] : [])].join(' · ')}
      tools={<Tools filter={filter} reason={reason} onAsk={setAsked} />}
    >
      {data && <LinkageStrip about={data.about} list={list} />}
      <OverriddenLines houseId={houseOf} isCovered={isDetailed} onOpen={() => show(null)} />
      {data && <LinkageOrphans projects={data.about.OrphansOf} reason={noLinkages} />}
      <div className={isDetailed ? 'list-body linkages-body detailed' : 'list-body linkages-body'}>
        <ListBar list={list} search={t('search')}>
          <FilterChip list={list} name="owner" value="none" label={t('orphan')} />
          <ListSort list={list} keys={sortable} />
        </ListBar>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
        <div className="list-scroll linkages-scroll" tabIndex={0} aria-busy={query.isFetching}>
          <Unloaded query={query} />
          {data && data.items.length > 0 && (
            <LinkageList
              linkages={data.items}
              isWaiting={query.isPlaceholderData}
              open={open}
              onOpen={(id) => show(id === open ? null : id)}
            />
          )}
          {data?.items.length === 0 &&
            (list.filtered || list.page > 1 || place !== null ? (
              <NoMatch filters={filterNames} />
            ) : (
              <Empty
                title={t('none')}
                hint={t('noneHint')}
                {...(reason === null && { action: { label: t('fromTemplate'), run: () => setAsked('templates') } })}
              />
            ))}
        </div>
        {data && data.items.length > 1 && list.sort === '' && <p className="list-foot">{t('foot')}</p>}
        <Pager page={list.page} size={list.size} total={data?.total ?? null} onPage={list.setPage} onSize={list.setSize} />
      </div>
      {open > 0 &&
        (edit === 'yes' ? (
          <EditLinkage key={open} linkageId={open} onClose={() => show(open)} />
        ) : (
          <LinkageDrawer key={open} linkageId={open} onEdit={() => show(open, 'yes')} onClose={() => show(null)} />
        ))}
      {isDrafted && (
        <LinkageFormDrawer
          houseId={draft.houseId}
          timeZone={zoneOf(groups, draft.houseId)}
          edited={null}
          initial={draft.values}
          onClose={(saved) => {
            setDraft(null)
            show(saved)
          }}
        />
      )}
      {asked === 'templates' && <TemplatesDialog groups={groups} house={houseOf} onUse={begin} onClose={() => setAsked(null)} />}
      {asked === 'new' && (
        <NewDialog groups={groups} house={houseOf} onBegin={(id) => begin(id, newLinkage())} onClose={() => setAsked(null)} />
      )}
    </Page>
  )
}

const zoneOf = (groups: readonly Group[], houseId: number): string =>
  groups.flatMap(({ Houses }) => Houses).find(({ HouseID }) => HouseID === houseId)?.TimeZone ?? 'Asia/Shanghai'

function LinkageOrphans({ projects, reason }: { projects: About['OrphansOf']; reason: string | null }) {
  const { t } = useTranslation('linkages')
  return (
    <Orphans
      kind="linkage"
      projects={projects}
      reason={reason}
      words={{
        notice: (count) => t('orphansNotice', { count }),
        title: (count) => t('takeAllTitle', { count }),
        what: t('takeWhat'),
        byAdministrator: t('orphansByAdministrator'),
      }}
      take={(body) => change(takeOrphanedLinkages, { body })}
    />
  )
}

/** Which linkage is open, and whether its form is, by the address; `new`: the form of one that is not stored yet. */
function useShownLinkage() {
  const [address, setAddress] = useSearchParams()
  const show = (linkageId: number | null, edit: 'yes' | 'new' | null = null) =>
    setAddress((before) => {
      if (linkageId === null) before.delete('linkage')
      else before.set('linkage', String(linkageId))
      if (edit === null) before.delete('edit')
      else before.set('edit', edit)
      return before
    })
  return { open: Number(/^[0-9]{1,9}$/.exec(address.get('linkage') ?? '')?.[0] ?? 0), edit: address.get('edit'), show }
}

function Tools({
  filter,
  reason,
  onAsk,
}: {
  filter: Omit<Request<typeof queryLinkages>['body'], 'Page' | 'Size'>
  reason: string | null
  onAsk: (what: 'new' | 'templates') => void
}) {
  const { t } = useTranslation(['linkages', 'app'])
  const mayOpenLog = useMayOpen(paths.linkageLog)
  // There both would only say that linkages are made on a wider screen; one is enough.
  const isPhone = usePhone()
  return (
    <>
      <ExportButton
        name={t('title')}
        columns={linkageColumns(t)}
        fetchPage={(Page, Size) => api.call(queryLinkages, { body: { ...filter, Page, Size } })}
      />
      {mayOpenLog && (
        <Link className="btn" to={paths.linkageLog} title={t('toLog')}>
          <Icon name="log" />
          <span className="word">{t('toLog')}</span>
        </Link>
      )}
      {!isPhone && (
        <ReasonedButton className="btn" reason={reason} onClick={() => onAsk('templates')}>
          {t('fromTemplate')}
        </ReasonedButton>
      )}
      <ReasonedButton className="btn primary" reason={reason} aria-label={t('create')} onClick={() => onAsk('new')}>
        <Icon name="plus" />
        <span className="word">{t('create')}</span>
      </ReasonedButton>
    </>
  )
}

/** The form of a stored linkage, with what it was when it was opened. */
function EditLinkage({ linkageId, onClose }: { linkageId: number; onClose: () => void }) {
  const query = useCall(getLinkage, { params: { LinkageID: linkageId } })
  const [kept, setKept] = useState<Linkage | null>(null)
  if (query.data && !kept) setKept(query.data)
  if (!kept) return <Unloaded query={query} />
  return <EditForm linkage={kept} onClose={onClose} />
}

function EditForm({ linkage, onClose }: { linkage: Linkage; onClose: () => void }) {
  const [initial] = useState(() => valuesOf(linkage))
  const { HouseID, TimeZone, LinkageID, Version } = linkage
  return (
    <LinkageFormDrawer
      houseId={HouseID}
      timeZone={TimeZone}
      edited={{ LinkageID, Version }}
      initial={initial}
      onClose={onClose}
    />
  )
}
