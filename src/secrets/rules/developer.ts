import { hasChecksum, hasDigitAndLetter, isPlaceholder } from '../checks.js'
import type { SecretRule } from '../rule.js'

/** Where code is kept, built and published, and where models answer. */
export const developerRules: readonly SecretRule[] = [
  {
    id: 'pegboard-key',
    name: ['Pegboard key', 'Pegboard 密钥'],
    anchors: ['rtk_'],
    pattern: '(?<!(?<!\\\\)[A-Za-z0-9_])rtk_[0-9a-f]{64}(?![0-9a-f])',
    entropy: 3,
  },
  {
    id: 'github-token',
    name: ['GitHub token', 'GitHub 令牌'],
    anchors: ['ghp_', 'gho_', 'ghu_', 'ghr_'],
    pattern: '(?<!(?<!\\\\)[A-Za-z0-9_])gh[pour]_[A-Za-z0-9]{36,255}(?![A-Za-z0-9])',
    // Longer ones, as refresh tokens have been, are not told apart.
    holds: (secret) => secret.length !== 40 || hasChecksum(secret),
    entropy: 3,
  },
  {
    id: 'github-app-token',
    name: ['GitHub app or fine-grained token', 'GitHub 应用或细粒度令牌'],
    anchors: ['ghs_', 'github_pat_'],
    pattern:
      '(?<!(?<!\\\\)[A-Za-z0-9_])(?:ghs_[A-Za-z0-9._-]{36,1024}|github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}(?![A-Za-z0-9]))',
    entropy: 3.5,
  },
  {
    id: 'gitlab-token',
    name: ['GitLab token', 'GitLab 令牌'],
    anchors: ['glpat-', 'gldt-', 'glrt-', 'glptt-', 'glcbt-', 'gloas-', 'glsoat-', 'glft-', 'glimt-', 'glagent-'],
    pattern:
      '(?<!(?<!\\\\)[A-Za-z0-9_])gl(?:pat|dt|rt|ptt|cbt|oas|soat|ft|imt|agent)-[A-Za-z0-9_-]{20,128}(?:\\.[0-9a-z]{2,3}\\.[0-9a-z]{6,12})?(?![A-Za-z0-9_-])',
    entropy: 3,
    holds: (secret) => !isPlaceholder(secret),
  },
  {
    id: 'npm-token',
    name: ['npm token', 'npm 令牌'],
    anchors: ['npm_'],
    pattern: '(?<!(?<!\\\\)[A-Za-z0-9_])npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])',
    holds: hasChecksum,
  },
  {
    id: 'pypi-token',
    name: ['PyPI token', 'PyPI 令牌'],
    anchors: ['pypi-ag'],
    pattern: '(?<!(?<!\\\\)[A-Za-z0-9_-])pypi-Ag[A-Za-z0-9_-]{50,1000}',
    entropy: 3.5,
  },
  {
    id: 'docker-token',
    name: ['Docker Hub token', 'Docker Hub 令牌'],
    anchors: ['dckr_pat_', 'dckr_oat_'],
    pattern: '(?<!(?<!\\\\)[A-Za-z0-9_])dckr_[po]at_[A-Za-z0-9_-]{27,64}(?![A-Za-z0-9_-])',
    entropy: 3,
  },
  {
    id: 'package-registry-token',
    name: ['Package registry token', '软件包仓库令牌'],
    anchors: ['rubygems_', 'oy2', 'akcp', 'cmvm'],
    pattern:
      '(?<!(?<!\\\\)[A-Za-z0-9_])(?:rubygems_[0-9a-f]{48}|oy2[a-z0-9]{43}|AKCp[A-Za-z0-9]{69}|cmVmd[A-Za-z0-9]{59})(?![A-Za-z0-9])',
    entropy: 3,
  },
  {
    id: 'anthropic-key',
    name: ['Anthropic key', 'Anthropic 密钥'],
    anchors: ['sk-ant-'],
    pattern: '(?<!(?<!\\\\)[A-Za-z0-9_-])sk-ant-[A-Za-z0-9_-]{32,200}(?![A-Za-z0-9_-])',
    entropy: 3.5,
  },
  {
    id: 'openai-key',
    name: ['OpenAI key, or one of its form', 'OpenAI（或同格式）密钥'],
    anchors: ['sk-'],
    pattern: '(?<!(?<!\\\\)[A-Za-z0-9_-])sk-(?:proj-|svcacct-|admin-|or-v1-)?[A-Za-z0-9_-]{32,250}(?![A-Za-z0-9_-])',
    entropy: 3.3,
    holds: (secret) => /\d.*\d.*\d/.test(secret) && !isPlaceholder(secret),
  },
  {
    id: 'huggingface-token',
    name: ['Hugging Face token', 'Hugging Face 令牌'],
    anchors: ['hf_', 'api_org_'],
    pattern: '(?<!(?<!\\\\)[A-Za-z0-9_])(?:hf_|api_org_)[A-Za-z0-9]{34,40}(?![A-Za-z0-9_])',
    entropy: 3.5,
  },
  {
    id: 'model-provider-key',
    name: ['Model provider key', '模型服务密钥'],
    anchors: ['gsk_', 'xai-', 'pplx-', 'r8_', 'nvapi-', 'fw_', 'tgp_v1_'],
    pattern:
      '(?<!(?<!\\\\)[A-Za-z0-9_-])(?:gsk_[A-Za-z0-9]{52}|xai-[A-Za-z0-9]{80}|pplx-[A-Za-z0-9]{48,56}|r8_[A-Za-z0-9]{37}|nvapi-[A-Za-z0-9_-]{60,70}|fw_[A-Za-z0-9]{22,24}|tgp_v1_[A-Za-z0-9_-]{43})(?![A-Za-z0-9_-])',
    entropy: 3.2,
    holds: (secret) => hasDigitAndLetter(secret),
  },
  {
    id: 'vault-token',
    name: ['HashiCorp Vault or Terraform token', 'HashiCorp Vault 或 Terraform 令牌'],
    anchors: ['hvs.', 'hvb.', 'hvr.', '.atlasv1.'],
    pattern:
      '(?:(?<!(?<!\\\\)[A-Za-z0-9_.])hv[sbr]\\.[A-Za-z0-9_-]{24,300}|(?<=[A-Za-z0-9]{14})\\.atlasv1\\.([A-Za-z0-9_=-]{60,80}))(?![A-Za-z0-9_-])',
    entropy: 3.5,
  },
  {
    id: 'ci-token',
    name: ['Build or deployment service token', '构建与部署服务令牌'],
    anchors: [
      'ccipat_',
      'nfp_',
      'pul-',
      'bkua_',
      'dp.pt.',
      'dp.st.',
      'hrku-',
      'sbp_',
      'tskey-',
      'pscale_',
      'ops_eyj',
      'rnd_',
    ],
    pattern:
      '(?<!(?<!\\\\)[A-Za-z0-9_-])(?:CCIPAT_[A-Za-z0-9_]{40,80}|nfp_[A-Za-z0-9]{36,40}|pul-[0-9a-f]{40}|bkua_[0-9a-f]{40}|dp\\.(?:pt|st)\\.[A-Za-z0-9._-]{40,80}|HRKU-[A-Za-z0-9_-]{36,70}|sbp_[0-9a-f]{40}|tskey-[a-z]{3,8}-[A-Za-z0-9]{8,20}-[A-Za-z0-9]{20,40}|pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.-]{32,64}|ops_eyJ[A-Za-z0-9_-]{200,1000}|rnd_[A-Za-z0-9]{28})(?![A-Za-z0-9_-])',
    entropy: 3,
  },
]
