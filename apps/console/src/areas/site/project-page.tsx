import type { ProjectRecord } from '@linewarden/contract'
import { deleteProject, groupNameOf, listProjects } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { api } from '../../app/net/api.ts'
import { change } from '../../app/net/change.ts'
import { errorTextOf } from '../../app/net/error-text.ts'
import { NoFilter } from '../../app/net/no-filter.tsx'
import { useRows } from '../../app/net/use-rows.ts'
import { ReasonedButton } from '../../app/notify/reasoned-button.tsx'
import { useMayEdit } from '../../app/session/use-may.ts'
import { paths } from '../../paths.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { FilterSelect, SearchField } from '../../ui/fields.tsx'
import { localised } from '../../ui/i18n.ts'
import { Icon } from '../../ui/icon.tsx'
import { useListState } from '../../ui/list-state.ts'
import { Page } from '../../ui/page.tsx'
import { QueryTable } from '../../ui/query-table.tsx'
import { SelectionBar } from '../../ui/selection-bar.tsx'
import { useDelayed } from '../../ui/use-delayed.ts'
import { PushDialog } from '../push/push-dialog.tsx'
import { projectColumns } from './project-columns.tsx'
import { ProjectForm } from './project-form.tsx'
import { MoveToGroup, ProjectTransfer } from './project-transfer.tsx'
import { useGroupNames } from './queries.ts'

type Open =
  | { readonly kind: 'form'; readonly project: ProjectRecord | null }
  | { readonly kind: 'transfer' | 'delete' | 'push'; readonly project: ProjectRecord }
  | { readonly kind: 'move' }

const filters = ['HouseName', 'CityID'] as const
const sortable = ['Name', 'Number', 'PersonInCharge', 'CityName', 'UserName', 'CreatedAt'] as const

/** Which projects are there, whose are they, and who is asked about them? */
export function ProjectPage() {
  const { t } = useTranslation(['project', 'app', 'push'])
  const list = useListState(filters, sortable)
  const mayEdit = useMayEdit()
  const name = useDelayed(list.filter('HouseName'), 300)
  const group = list.filter('CityID')
  const groups = useGroupNames()
  const [open, setOpen] = useState<Open | null>(null)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const requestOf = (Page: number, Size: number) => ({
    query: {
      ...(name && { HouseName: name }),
      ...(/^\d+$/.test(group) && { CityID: Number(group) }),
      Page,
      Size,
      ...list.order,
    },
  })
  const rows = useRows(listProjects, requestOf(list.page, list.size))
  const add = () => setOpen({ kind: 'form', project: null })
  return (
    <Page title={t('title')}>
      <QueryTable
        label={t('title')}
        columns={projectColumns(t)}
        rows={rows}
        rowKey={({ HouseID }) => String(HouseID)}
        list={list}
        {...(mayEdit && { selection: { keys: chosen, onChange: setChosen } })}
        filters={
          <>
            <SearchField
              label={t('name')}
              value={list.filter('HouseName')}
              onChange={(value) => list.setFilter('HouseName', value)}
            />
            <FilterSelect
              label={t('allGroups')}
              value={group}
              onChange={(value) => list.setFilter('CityID', value)}
              options={(groups.data?.items ?? []).map((group) => ({
                value: String(group.CityID),
                label: localised(groupNameOf(group)),
              }))}
            />
            <NoFilter query={groups} />
          </>
        }
        actions={
          mayEdit && (
            <>
              <Link className="btn" to={paths.screens}>
                {t('screens')}
              </Link>
              <button type="button" className="btn primary" onClick={add}>
                <Icon name="plus" />
                {t('add')}
              </button>
            </>
          )
        }
        below={
          <SelectionBar keys={chosen} onClear={() => setChosen(new Set())}>
            <button type="button" className="btn" onClick={() => setOpen({ kind: 'move' })}>
              {t('move')}
            </button>
          </SelectionBar>
        }
        {...(mayEdit && { rowActions: (project: ProjectRecord) => <ProjectActions project={project} onOpen={setOpen} /> })}
        empty={{ title: t('none'), hint: t('noneHint'), ...(mayEdit && { action: { label: t('add'), run: add } }) }}
        fetchPage={(page, size) => api.call(listProjects, requestOf(page, size))}
      />
      {open && (
        <OpenDialog
          open={open}
          chosen={[...chosen].map(Number)}
          onMoved={() => setChosen(new Set())}
          onClose={() => setOpen(null)}
        />
      )}
    </Page>
  )
}

function ProjectActions({ project, onOpen }: { project: ProjectRecord; onOpen: (open: Open) => void }) {
  const { t } = useTranslation(['project', 'app', 'push'])
  return (
    <>
      <button type="button" className="btn small quiet" onClick={() => onOpen({ kind: 'form', project })}>
        {t('app:edit')}
      </button>
      <button type="button" className="btn small quiet" onClick={() => onOpen({ kind: 'transfer', project })}>
        {t('transfer')}
      </button>
      <button type="button" className="btn small quiet" onClick={() => onOpen({ kind: 'push', project })}>
        {t('push:action')}
      </button>
      <ReasonedButton
        className="btn small quiet"
        reason={project.GatewayCount > 0 ? t('notEmpty') : null}
        onClick={() => onOpen({ kind: 'delete', project })}
      >
        {t('app:delete')}
      </ReasonedButton>
    </>
  )
}

function OpenDialog({
  open,
  chosen,
  onMoved,
  onClose,
}: {
  open: Open
  /** Ids of the projects that are moved together. */
  chosen: readonly number[]
  onMoved: () => void
  onClose: () => void
}) {
  const { t } = useTranslation(['project', 'app'])
  switch (open.kind) {
    case 'form':
      return <ProjectForm project={open.project} onClose={onClose} />
    case 'transfer':
      return <ProjectTransfer project={open.project} onClose={onClose} />
    case 'push':
      return <PushDialog project={open.project} onClose={onClose} />
    case 'move':
      return <MoveToGroup houseIds={chosen} onMoved={onMoved} onClose={onClose} />
    case 'delete':
      return (
        <ConfirmDialog
          title={t('deleteTitle', { name: open.project.Name })}
          what={t('deleteWhat')}
          submit={t('app:delete')}
          onClose={onClose}
          onConfirm={() => errorTextOf(change(deleteProject, { body: { HouseID: open.project.HouseID } }))}
        />
      )
  }
}
