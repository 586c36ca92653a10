import { notFound } from '../../http/http-error.js'
import type { JsonObject } from '../../model/json.js'
import { tokensOf } from '../../model/tokens.js'
import type { Operation } from '../../operations/operation.js'
import { anyObject, closed, integer, list, shape, text, type ValueOf, words } from '../../operations/shape.js'
import { adminOperation } from './admin-operation.js'

const cost = {
  name: text(),
  exposure: text(),
  /** How many tools can be called, listed or not. */
  callable: integer(),
  listed: integer(),
  /** What its clients read before they do anything. */
  tokens: integer(),
  /** What that would be if every callable tool were listed. */
  flatTokens: integer(),
}

export const profileCost = shape(cost, { description: text() })

const profilesAnswer = shape({ profiles: list(profileCost) })

const profileDetail = shape(
  { ...cost, settings: anyObject(), shown: list(shape({ tool: anyObject(), tokens: integer() })) },
  {
    description: text(),
    /** As the file has it; not there in a preview. */
    written: anyObject(),
  },
)

/** A profile in the numbers that matter. */
export type ProfileCost = ValueOf<typeof profileCost>
export type ProfilesAnswer = ValueOf<typeof profilesAnswer>
export type ProfileDetail = ValueOf<typeof profileDetail>

/** One profile through the eyes of a client. */
export interface ProfileReport {
  readonly name: string
  readonly description: string | undefined
  readonly exposure: string
  /** How many tools can be called, listed or not. */
  readonly callable: number
  readonly listed: number
  /** The list as the client gets it; made when asked, since it may be long. */
  shown(): readonly JsonObject[]
  readonly shownBytes: number
  /** What the list would take if every callable tool were in it. */
  readonly flatBytes: number
  readonly settings: JsonObject
}

/** Profiles as an operator changes them, in the file and at once in what runs. */
export interface ProfileDesk {
  /** As the file has it, without defaults; empty where it has none. */
  written(name: string): JsonObject
  /** What a client would be shown if the profile were like this. Throws what a save would say. */
  preview(name: string, settings: JsonObject): ProfileReport
  save(name: string, settings: JsonObject): Promise<void>
  remove(name: string): Promise<void>
}

export interface ProfileBoard {
  readonly profiles: ProfileDesk
  profileNames(): readonly string[]
  /** What a client of this profile is shown; undefined when there is no such profile. */
  profile(name: string): ProfileReport | undefined
}

const settings = anyObject({ maxProperties: 16 })
const params = { name: words('The name of the profile', '配置档名称') }

/** Profiles: what each shows and costs, also one that is only being thought about, and their changes. */
export const profileOperations = (board: ProfileBoard): readonly Operation[] => [
  adminOperation({
    id: 'listProfiles',
    method: 'GET',
    path: '/profiles',
    right: 'look',
    summary: words('The profiles, and what each costs a model', '配置档列表及各自的模型开销'),
    answer: profilesAnswer,
    run: () => ({ profiles: board.profileNames().flatMap((each) => costsOf(board, each)) }),
  }),
  adminOperation({
    id: 'readProfile',
    method: 'GET',
    path: '/profiles/:name',
    right: 'look',
    summary: words('One profile, and what its clients are shown', '一个配置档及其客户端看到的内容'),
    params,
    answer: profileDetail,
    run: ({ params: { name = '' } }) => {
      const report = board.profile(name)
      if (!report) throw notFound('There is no such profile; look at the list.')
      return { ...detailOf(report), written: board.profiles.written(name) }
    },
  }),
  adminOperation({
    id: 'saveProfile',
    method: 'PUT',
    path: '/profiles/:name',
    right: 'admin',
    summary: words('Add or replace a profile', '新增或替换配置档'),
    params,
    body: settings,
    run: ({ params, body }) => board.profiles.save(params.name!, body),
  }),
  adminOperation({
    id: 'removeProfile',
    method: 'DELETE',
    path: '/profiles/:name',
    right: 'admin',
    summary: words('Remove a profile', '删除配置档'),
    params,
    run: ({ params }) => board.profiles.remove(params.name!),
  }),
  adminOperation({
    id: 'previewProfile',
    method: 'POST',
    path: '/profile-preview',
    right: 'look',
    deed: false,
    summary: words('What a profile would show, before it is saved', '保存之前预览配置档的效果'),
    body: closed({ name: text({ minLength: 1, maxLength: 64 }), settings }, ['name', 'settings']),
    answer: profileDetail,
    run: ({ body }) => detailOf(board.profiles.preview(body.name, body.settings)),
  }),
]

export const costOf = ({
  shownBytes,
  flatBytes,
  callable,
  listed,
  exposure,
  name,
  description,
}: ProfileReport): ProfileCost => ({
  name,
  description,
  exposure,
  callable,
  listed,
  tokens: tokensOf(shownBytes),
  flatTokens: tokensOf(flatBytes),
})

const costsOf = (board: ProfileBoard, each: string): readonly ProfileCost[] => {
  const report = board.profile(each)
  return report ? [costOf(report)] : []
}

const detailOf = (report: ProfileReport): ProfileDetail => ({
  ...costOf(report),
  settings: report.settings,
  shown: report.shown().map((tool) => ({ tool, tokens: tokensOf(Buffer.byteLength(JSON.stringify(tool))) })),
})
