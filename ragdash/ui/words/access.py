"""Words of the access check and of sign-in: English, Chinese."""

from __future__ import annotations

WORDS: dict[str, tuple[str, str]] = {
    "access.title": ("Not shown", "无法显示"),
    "access.refused": (
        "This server can be reached from beyond this machine and nobody is signed in, so no page "
        "is shown. Serve it on 127.0.0.1, configure sign-in (README, Serving it to others), or "
        "allow everybody on purpose:",
        "本机以外也能访问该服务且无人登录，因此不显示任何页面。请改为监听 127.0.0.1、"
        "配置登录（README，Serving it to others），或明确允许所有人：",
    ),
    "access.sign_in.title": ("Sign in", "登录"),
    "access.sign_in.lead": (
        "These runs are shown to people who sign in.",
        "登录后才能查看这些运行。",
    ),
    "access.sign_in": ("Sign in", "登录"),
    "access.sign_in.with": ("Sign in with {provider}", "使用 {provider} 登录"),
    "access.sign_out": ("Sign out", "退出登录"),
    "access.signed_in": ("Signed in as", "当前登录"),
    "access.unwelcome": (
        "You are signed in, and not on the list of visitors of this dashboard: [ragdash] visitors "
        "in its secrets.toml.",
        "你已登录，但不在本看板的访客名单中：secrets.toml 的 [ragdash] visitors。",
    ),
    "access.misconfigured": (
        "Sign-in is configured and cannot work, so no page is shown. Whoever runs the server mends "
        "the [auth] section of its secrets.toml:",
        "登录已配置但无法工作，因此不显示任何页面。请服务管理员修正 secrets.toml 的 [auth]：",
    ),
}
