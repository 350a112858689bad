import type { LineSettings } from '@linewarden/contract'
import { maxTargets } from '@linewarden/contract'
import type { Family } from '@linewarden/equipment'
import { settingProblems } from '@linewarden/rules/settings'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { ReasonedButton } from '../../app/notify/reasoned-button.tsx'
import type { LineRef } from '../../plant/equipment.ts'
import { said as inWords } from '../../ui/i18n.ts'
import { CopyDialog } from './copy-dialog.tsx'
import { useTemplates } from './queries.ts'
import { Results } from './results.tsx'
import { said, shown } from './values.ts'

/** The values of this line, or of a template, to many lines of the same kind. Each is checked against its own range before anything leaves. */
export function CopyView({
  lineRef,
  family,
  line,
  all,
  mayNot,
}: {
  lineRef: LineRef
  family: Family
  line: LineSettings
  all: readonly LineRef[]
  mayNot: string | null
}) {
  const { t } = useTranslation('settings')
  const [query] = useSearchParams()
  const templates = useTemplates(family.key)
  const template = templates.data?.find(({ TemplateID }) => String(TemplateID) === query.get('template')) ?? null
  const values = useMemo(
    () =>
      new Map(
        template
          ? template.Settings.map(({ Key, Value }) => [Key, Value] as const)
          : // As it reports: what was ordered there and never confirmed is nothing to hand on.
            line.Settings.flatMap(({ Key, Reported }) => (Reported === null ? [] : [[Key, Reported] as const])),
      ),
    [template, line],
  )
  const others = useMemo(
    () => all.filter((each) => each.family === family && (template !== null || each.line.LineID !== lineRef.line.LineID)),
    [all, family, lineRef, template],
  )
  const [leftOut, setLeftOut] = useState<ReadonlySet<string>>(new Set())
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const [asking, setAsking] = useState(false)
  const wanted = Object.fromEntries([...values].filter(([key]) => !leftOut.has(key)))
  const fits = (each: LineRef) =>
    settingProblems({ family, model: each.device.Model, ratedCurrentA: each.line.RatedCurrentA }, wanted).length === 0
  const targets = others.filter((each) => chosen.has(each.line.LineID) && fits(each))
  const possible = others.filter(fits).slice(0, maxTargets)
  const everything = possible.length > 0 && possible.every(({ line: { LineID } }) => chosen.has(LineID))
  const names = useMemo(
    () => new Map(all.map((each) => [`${each.device.ControllerID}/${each.line.LineNo}`, each.line.LineName])),
    [all],
  )
  // Without the template that was asked for nothing is sent in its stead.
  if (query.has('template') && !templates.data) return <Unloaded query={templates} />
  return (
    <div className="params">
      <div className="scroll copying">
        <p className="mute">{t('copyWhat')}</p>
        <fieldset>
          <legend>
            {t('values')} <small>{t('copyFrom', { name: template?.Name ?? line.LineName })}</small>
          </legend>
          {family.settings.map((setting) => {
            const value = values.get(setting.key) ?? null
            return (
              <label key={setting.key} className="option">
                <input
                  type="checkbox"
                  disabled={value === null}
                  checked={value !== null && !leftOut.has(setting.key)}
                  onChange={() => setLeftOut(toggled(leftOut, setting.key))}
                />
                <span>{inWords(setting.label)}</span>
                <b>{value === null ? t('noValue') : said(setting, value)}</b>
              </label>
            )
          })}
        </fieldset>
        <fieldset>
          <legend>
            {t('targets')} <small>{t('chosenLines', { count: targets.length })}</small>
          </legend>
          {others.length === 0 ? (
            <p className="mute">{t('chooseOther')}</p>
          ) : (
            <label className="option all">
              <input
                type="checkbox"
                checked={everything}
                disabled={possible.length === 0}
                onChange={() => setChosen(new Set(everything ? [] : possible.map((each) => each.line.LineID)))}
              />
              <span>{t('chooseAll')}</span>
            </label>
          )}
          {others.map((each) => {
            const fit = fits(each)
            return (
              <label key={each.line.LineID} className="option">
                <input
                  type="checkbox"
                  disabled={!fit}
                  checked={fit && chosen.has(each.line.LineID)}
                  onChange={() => setChosen(toggled(chosen, each.line.LineID))}
                />
                <span>
                  {each.line.LineName}
                  <small>
                    {each.gateway.GatewayName}
                    {each.line.RatedCurrentA !== null && ` · ${t('ratedA', { value: shown(each.line.RatedCurrentA) })}`}
                  </small>
                </span>
                {!fit && <em className="alarm">{t('outOfRangeHere')}</em>}
              </label>
            )
          })}
        </fieldset>
      </div>
      <aside className="beside">
        <section aria-label={t('willSend')}>
          <h3>{t('willSend')}</h3>
          {mayNot && <p className="mute">{mayNot}</p>}
          <p className="acts">
            <ReasonedButton
              className="btn primary"
              reason={mayNot ?? (targets.length === 0 || Object.keys(wanted).length === 0 ? t('chooseSome') : null)}
              onClick={() => setAsking(true)}
            >
              {targets.length === 0 ? t('chooseSome') : t('sendTo', { count: targets.length })}
            </ReasonedButton>
          </p>
        </section>
        <Results nameOf={({ ControllerID, LineNo }) => names.get(`${ControllerID}/${LineNo}`) ?? ControllerID} />
      </aside>
      {asking && (
        <CopyDialog
          family={family}
          targets={targets}
          wanted={wanted}
          template={template}
          onSent={() => setChosen(new Set())}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  )
}

function toggled<T>(set: ReadonlySet<T>, item: T): ReadonlySet<T> {
  const after = new Set(set)
  if (!after.delete(item)) after.add(item)
  return after
}
