import { createHash } from 'node:crypto'
import type { Branding, BrandingSettings, editBranding, Request, UserInfo } from '@linewarden/contract'
import { aboutNothing, logoMax, logoPath, Refusal } from '@linewarden/contract'
import type { FastifyInstance } from 'fastify'
import type { Actor } from '../../access/actor.ts'
import { by } from '../../audit/audited.ts'
import type { Config } from '../../config.ts'
import { pictureIn } from '../../lib/picture.ts'
import type { BrandingChange, StoredBranding } from '../../store/account/branding.ts'
import { storedBranding, storedLogo, updateBranding } from '../../store/account/branding.ts'
import type { Database } from '../../store/core/database.ts'

export type Brand = Awaited<ReturnType<typeof createBranding>>

type Body = Request<typeof editBranding>['body']

/** Whose installation it is: what was set in the console, and where nothing was, what the environment says. */
export async function createBranding({
  config,
  database,
  clock,
}: {
  config: Pick<Config, 'company' | 'provider' | 'signOn'>
  database: Database
  clock: () => number
}) {
  // Every page asks for it, and one server has the folder: it is kept here.
  let row = await storedBranding(database)
  return { now, shown, settings, edit, mountLogo }

  function now() {
    return {
      Name: both(row.name_zh ?? config.company, row.name_en ?? config.company),
      Title: both(row.title_zh, row.title_en),
      Logo: logoOf(row),
      Provider: provider(),
    }
  }

  function shown(): Branding {
    const { Name, Title, Logo } = now()
    return { Name, Title, Logo, SignOn: config.signOn && { Name: config.signOn.name } }
  }

  /** All three of the link, or none. */
  function provider(): UserInfo['Provider'] {
    const Host = row.provider_host ?? config.provider?.host
    const Name = row.provider_name ?? config.provider?.name
    const Url = row.provider_url ?? config.provider?.url
    return Host && Name && Url ? { Host, Name, Url } : null
  }

  function settings(): BrandingSettings {
    return {
      NameZh: row.name_zh,
      NameEn: row.name_en,
      TitleZh: row.title_zh,
      TitleEn: row.title_en,
      ProviderHost: row.provider_host,
      ProviderName: row.provider_name,
      ProviderUrl: row.provider_url,
      Logo: logoOf(row),
      Version: row.version,
      Default: {
        Name: config.company ?? '',
        ProviderHost: config.provider?.host ?? '',
        ProviderName: config.provider?.name ?? '',
        ProviderUrl: config.provider?.url ?? '',
      },
    }
  }

  async function edit(actor: Actor, body: Body): Promise<BrandingSettings> {
    if (body.ProviderUrl !== null && !URL.canParse(body.ProviderUrl)) throw new Refusal('invalid parameter')
    const change: BrandingChange = {
      name_zh: textOrNull(body.NameZh),
      name_en: textOrNull(body.NameEn),
      title_zh: textOrNull(body.TitleZh),
      title_en: textOrNull(body.TitleEn),
      provider_host: body.ProviderHost?.toLowerCase() ?? null,
      provider_name: textOrNull(body.ProviderName),
      provider_url: body.ProviderUrl,
      ...(body.Logo !== undefined && { logo: body.Logo === null ? null : readLogo(body.Logo) }),
    }
    const audit = { ...by(actor, clock(), 'branding.edit', actor.tenant), subject: aboutNothing }
    const after = await updateBranding(database, body.Version, change, audit)
    if (!after) throw new Refusal('changed meanwhile')
    row = after
    return settings()
  }

  /** The logo is fetched by `<img>`, which signs nothing; whoever may see the login page may see it. */
  function mountLogo(app: FastifyInstance): void {
    app.get<{ Params: { hash: string } }>(`${logoPath}:hash`, { schema: { hide: true } }, async ({ params }, reply) => {
      const logo = /^[0-9a-f]{64}$/.test(params.hash) ? await storedLogo(database, params.hash) : null
      if (!logo) return reply.callNotFound()
      // It is only ever a picture, also for somebody who opens its address.
      return reply
        .header('Content-Security-Policy', "default-src 'none'; sandbox")
        .header('Cache-Control', 'public, max-age=31536000, immutable')
        .type(logo.type)
        .send(logo.bytes)
    })
  }
}

const both = (zh: string | null, en: string | null): Branding['Name'] => {
  const one = zh ?? en
  return one === null ? null : { zh: zh ?? one, en: en ?? one }
}

const logoOf = ({ logo_hash }: StoredBranding): string => (logo_hash === null ? '' : logoPath + logo_hash)

const textOrNull = (text: string | null): string | null => text?.trim() || null

function readLogo(base64: string): { bytes: Buffer; type: string; hash: string } {
  const bytes = Buffer.from(base64, 'base64')
  const picture = pictureIn(bytes)
  const { side } = logoMax
  if (!picture || bytes.length > logoMax.bytes || picture.width > side || picture.height > side)
    throw new Refusal('logo not taken', { most: logoMax.bytes / 1024, side })
  return { bytes, type: picture.type, hash: createHash('sha256').update(bytes).digest('hex') }
}
