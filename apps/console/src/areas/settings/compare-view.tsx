import type { LineSettings } from '@linewarden/contract'
import type { Family } from '@linewarden/equipment'
import { sameSetting } from '@linewarden/rules/settings'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { ReasonedButton } from '../../app/notify/reasoned-button.tsx'
import type { LineRef } from '../../plant/equipment.ts'
import { Empty } from '../../ui/body-state.tsx'
import { FilterSelect } from '../../ui/fields.tsx'
import { said as inWords } from '../../ui/i18n.ts'
import { Icon } from '../../ui/icon.tsx'
import { Mark } from '../../ui/mark.tsx'
import { useLineSettings, useTemplates } from './queries.ts'
import { said } from './values.ts'

/** This line beside another one, or beside a template: what the equipment reports, and where it differs. */
export function CompareView({
  family,
  line,
  all,
  onFill,
}: {
  family: Family
  line: LineSettings
  all: readonly LineRef[]
  onFill: (values: Readonly<Record<string, number>>) => void
}) {
  const { t } = useTranslation('settings')
  const [query, setQuery] = useSearchParams()
  const [kind, id] = (query.get('with') ?? '').split(':')
  const kept = useTemplates(family.key)
  const templates = kept.data ?? []
  const template = kind === 'template' ? templates.find(({ TemplateID }) => String(TemplateID) === id) : undefined
  const others = all.filter((each) => each.family === family && each.line.LineID !== line.LineID)
  const lineRef = kind === 'line' ? others.find((each) => String(each.line.LineID) === id) : undefined
  const asked = useLineSettings(useMemo(() => (lineRef ? [lineRef] : []), [lineRef]))
  const other = asked.data?.[0]
  const theirs = new Map(
    template
      ? template.Settings.map(({ Key, Value }) => [Key, Value] as const)
      : other?.Settings.map(({ Key, Reported, Desired }) => [Key, Reported ?? Desired] as const),
  )
  const rows = family.settings.map((setting) => {
    const mine = line.Settings.find(({ Key }) => Key === setting.key)
    const own = mine?.Reported ?? mine?.Desired ?? null
    const their = theirs.get(setting.key) ?? null
    const same = own !== null && their !== null ? sameSetting(own, their) : own === their
    return { setting, own, their, same: same || (template !== undefined && !theirs.has(setting.key)) }
  })
  const differing = rows.filter(({ same }) => !same)
  const values = Object.fromEntries(
    differing.flatMap(({ setting, their }) => (their === null ? [] : [[setting.key, their] as const])),
  )
  // What is not here is not different.
  const against = template?.Name ?? (other && lineRef?.line.LineName)
  return (
    <div className="comparing">
      <div className="bar">
        <FilterSelect
          label={t('pickLine')}
          value={query.get('with') ?? ''}
          options={[
            ...templates.map(({ TemplateID, Name }) => ({
              value: `template:${TemplateID}`,
              label: `${t('template')} · ${Name}`,
            })),
            ...others.map((each) => ({
              value: `line:${each.line.LineID}`,
              label: `${each.line.LineName} · ${each.gateway.GatewayName}`,
            })),
          ]}
          onChange={(value) =>
            setQuery((before) => {
              if (value === '') before.delete('with')
              else before.set('with', value)
              return before
            })
          }
        />
        {against !== undefined && (
          <span role="status">{differing.length === 0 ? t('equal') : t('differs', { count: differing.length })}</span>
        )}
        <span className="grow" />
        <ReasonedButton
          className="btn"
          reason={Object.keys(values).length === 0 ? t('pickLine') : null}
          onClick={() => onFill(values)}
        >
          {t('takeOver')}
        </ReasonedButton>
      </div>
      <Unloaded query={kept} />
      {lineRef && <Unloaded query={asked} />}
      {against === undefined ? (
        kept.data && !lineRef && <Empty title={t('pickLine')} />
      ) : (
        <div className="scroll">
          <table className="param-table" aria-label={t('views.compare')}>
            <thead>
              <tr>
                <th>{t('values')}</th>
                <th className="end">{line.LineName}</th>
                <th className="end">{against}</th>
                <th>{t('difference')}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ setting, own, their, same }) => (
                <tr key={setting.key}>
                  <th scope="row">{inWords(setting.label)}</th>
                  <td className="end" data-head={line.LineName}>
                    {said(setting, own)}
                  </td>
                  <td className="end" data-head={against}>
                    {said(setting, their)}
                  </td>
                  <td data-head={t('difference')}>
                    {same ? (
                      <span className="standing mute">
                        <Icon name="check" />
                        {t('equal')}
                      </span>
                    ) : (
                      <span className="standing warning">
                        <Mark kind="warning" />
                        {own === null || their === null
                          ? '–'
                          : `${their > own ? '+' : '−'}${said(setting, Math.abs(their - own))}`}
                      </span>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </div>
  )
}
