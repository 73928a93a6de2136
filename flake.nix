# Makes the packed file of a release a flake of Nix: `nix run URL/ptxrun-VERSION.tgz`. A checkout is none: git has no dist.
{
  description = "Runs NVIDIA PTX without a GPU, bit for bit";
  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixpkgs-unstable";
  outputs =
    { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ];
      package =
        pkgs:
        pkgs.stdenvNoCC.mkDerivation {
          pname = "ptxrun";
          version = (builtins.fromJSON (builtins.readFile ./package.json)).version;
          src = self;
          nativeBuildInputs = [ pkgs.installShellFiles ];
          # The first line of the script gets this Node.
          buildInputs = [ pkgs.nodejs ];
          installPhase = ''
            mkdir -p $out/bin $out/lib/ptxrun
            cp -r bin dist schema package.json LICENSE $out/lib/ptxrun
            ln -s $out/lib/ptxrun/bin/ptxrun.js $out/bin/ptxrun
            installManPage dist/ptxrun.1
            installShellCompletion dist/completions/ptxrun.{bash,fish} --zsh dist/completions/_ptxrun
          '';
          meta = {
            license = pkgs.lib.licenses.mit;
            mainProgram = "ptxrun";
          };
        };
    in
    {
      packages = nixpkgs.lib.genAttrs systems (system: {
        default = package nixpkgs.legacyPackages.${system};
      });
    };
}
