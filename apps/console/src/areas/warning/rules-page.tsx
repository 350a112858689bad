import type { WarningRule } from '@linewarden/contract'
import { listWarningRules } from '@linewarden/contract'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { useSession } from '../../app/session/session.ts'
import { ProjectOrDefault, useProjectOrDefault } from '../../plant/project-or-default.tsx'
import { Empty } from '../../ui/body-state.tsx'
import { addTexts } from '../../ui/i18n.ts'
import { LeaveDialog } from '../../ui/leave-dialog.tsx'
import { Page } from '../../ui/page.tsx'
import { usePhone } from '../../ui/use-media.ts'
import { useUnsaved } from '../../ui/use-unsaved.ts'
import type { RuleDraft } from './rules/rule-draft.ts'
import { changesOf, noDraft } from './rules/rule-draft.ts'
import { RuleEditor } from './rules/rule-editor.tsx'
import { RuleList } from './rules/rule-list.tsx'
import { warningRules } from './rules/texts.ts'
import { warning } from './texts.ts'
import './rules/preview.css'
import './rules/rules.css'
import './warning-list.css'
import './warning-drawer.css'

addTexts({ warning, warningRules })

/** From when on is something called abnormal? The rules of early warning by project, with what each would have raised. */
export function WarningRulesPage() {
  const { t } = useTranslation('warningRules')
  const [address, setAddress] = useSearchParams()
  const { tree, house } = useProjectOrDefault(address)
  const go = (values: Readonly<Record<string, string>>) =>
    setAddress((before) => {
      for (const [name, value] of Object.entries(values)) before.set(name, value)
      return before
    })
  if (!tree.data)
    return (
      <Page title={t('title')}>
        <Unloaded query={tree} />
      </Page>
    )
  return (
    <OfProject
      key={house?.HouseID ?? 'default'}
      house={house?.HouseID ?? null}
      name={house?.Name ?? t('default')}
      chosen={address.get('rule')}
      onChoose={(rule) => go({ rule })}
      onBack={() =>
        setAddress((before) => {
          before.delete('rule')
          return before
        })
      }
      tools={
        <ProjectOrDefault
          house={house?.HouseID ?? null}
          words={{ project: t('project'), level: t('level'), ofProject: t('ofProject'), default: t('default') }}
          onChoose={(to) => go({ house: to })}
        />
      }
    />
  )
}

function OfProject({
  house,
  name,
  chosen,
  tools,
  onChoose,
  onBack,
}: {
  house: number | null
  name: string
  /** Key of the rule that is open, as the address says. */
  chosen: string | null
  tools: ReactNode
  onChoose: (key: string) => void
  onBack: () => void
}) {
  const { t } = useTranslation('warningRules')
  const narrow = usePhone()
  const user = useSession((session) => session.user)
  const query = useCall(listWarningRules, { query: house === null ? {} : { HouseID: house } })
  const [draft, setDraft] = useState<{ readonly key: string; readonly draft: RuleDraft } | null>(null)
  const [after, setAfter] = useState<number | null>(null)
  const rules = query.data?.items ?? []
  const rule = rules.find(({ Key }) => Key === chosen) ?? (narrow ? undefined : rules[0])
  const own = draft !== null && draft.key === rule?.Key ? draft.draft : noDraft
  const changes = rule ? changesOf(rule, own).length : 0
  const unsaved = useUnsaved(changes > 0)
  const why = whyNot(house, user, narrow)
  const mayNot = why && t(`mayNot.${why}`)
  const set = (of: WarningRule, to: RuleDraft) => setDraft({ key: of.Key, draft: to })
  return (
    <Page
      title={t('title')}
      crumb={[
        name,
        ...(query.data ? [t('rulesOn', { count: rules.length, on: rules.filter(({ Enabled }) => Enabled).length })] : []),
      ].join(' · ')}
      tools={tools}
    >
      <Unloaded query={query} />
      {query.data && (
        <div className={rule ? 'rules-body open' : 'rules-body'}>
          <RuleList
            rules={rules}
            chosen={rule?.Key ?? null}
            isOn={(each) => (each.Key === rule?.Key ? (own.enabled ?? each.Enabled) : each.Enabled)}
            after={changes > 0 ? after : null}
            mayNot={mayNot}
            onChoose={onChoose}
            onSwitch={(each) => {
              if (each.Key === rule?.Key) set(each, { ...own, enabled: !(own.enabled ?? each.Enabled) })
              else onChoose(each.Key)
            }}
          />
          {rule ? (
            <RuleEditor
              key={rule.Key}
              rule={rule}
              house={house}
              draft={own}
              mayNot={mayNot}
              onBack={narrow ? onBack : null}
              onDraft={(to) => set(rule, to)}
              onPreview={setAfter}
            />
          ) : (
            !narrow && <Empty title={t('none')} />
          )}
        </div>
      )}
      <p className="rules-foot">
        <span>{changes > 0 ? t('unsaved', { count: changes }) : t('fromNowOn')}</span>
      </p>
      {unsaved.isLeaving && (
        <LeaveDialog
          title={t('leaveTitle')}
          what={t('leaveWhat')}
          leave={t('leave')}
          stay={t('stay')}
          onLeave={unsaved.leave}
          onStay={unsaved.stay}
        />
      )}
    </Page>
  )
}

type Reason = 'shared' | 'administrators' | 'narrow'

/** Why nobody edits here: the default concerns every project, and a phone is no place for it. */
function whyNot(house: number | null, user: ReturnType<typeof useSession.getState>['user'], narrow: boolean): Reason | null {
  if (narrow) return 'narrow'
  if (user === null || user.Shared) return 'shared'
  return house === null && !user.Roles.IsAdministrators ? 'administrators' : null
}
