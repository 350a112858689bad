import {
  getTariffVersion,
  insertTariff,
  listTariffs,
  previewTariff,
  publishTariff,
  saveTariffDraft,
  tariffDays,
} from '@linewarden/contract'
import type { Serve } from '../../http/context.ts'
import type { TariffPreviews } from './tariff-preview.ts'
import type { Tariffs } from './tariffs.ts'

export function tariffRoutes(serve: Serve, tariffs: Tariffs, previews: TariffPreviews): void {
  serve(listTariffs, ({ actor, project }) => tariffs.list(actor, project))
  serve(getTariffVersion, ({ actor, project, query }) => tariffs.version(actor, project, query.VersionID))
  serve(insertTariff, ({ actor, project, body }) => tariffs.insert(actor, project, body))
  serve(saveTariffDraft, ({ actor, project, body }) => tariffs.saveDraft(actor, project, body))
  serve(publishTariff, ({ actor, project, body }) => tariffs.publish(actor, project, body))
  serve(tariffDays, ({ project, query }) => tariffs.days(project, query.Year))
  serve(previewTariff, ({ actor, project, body }) => previews.preview(actor, project, body.VersionID))
}
